# SPDX-License-Identifier: Apache-2.0
"""A second statement of formats and tiles, from the sources and not from the library.

Packer: ISA documentation Packers/FormatConversion and ttsim (formats text C.8.1, C.8.5); unpacker:
C.5; tile order: C.4.2; host rounding of BF16: IEEE nearest even.

    formats.py pack FORMAT IN.npy OUT.tile [ROWSxCOLUMNS]   float32 array -> packer -> tiles
    formats.py unpack FORMAT IN.tile OUT.npy SHAPE [ROWSxCOLUMNS]
    formats.py bf16 IN.npy OUT.npy                          host: float32 -> patterns as uint16
    formats.py square IN.tile FORMAT OUT.tile FORMAT        BF16 in Dst: x * x, cut to BF16, packed
    formats.py npz OUT.npz NAME=FILE.npy ... [--deflate]
"""
import ast
import shlex
import struct
import sys
import zipfile


def load(path):
    data = open(path, "rb").read()
    size = struct.unpack("<H", data[8:10])[0]
    head = ast.literal_eval(data[10:10 + size].decode())
    code = {"<f4": "I", "<u2": "H", "<V2": "H"}[head["descr"]]
    body = data[10 + size:]
    count = len(body) // struct.calcsize(code)
    return head["shape"], list(struct.unpack("<%d%s" % (count, code), body))


def save(path, descr, shape, words):
    head = ("{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (descr, shape)).encode()
    head += b" " * (-(10 + len(head) + 1) % 64) + b"\n"
    code = {"<f4": "I", "<u2": "H"}[descr]
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head)
        f.write(struct.pack("<%d%s" % (len(words), code), *words))


def places(shape, rows, columns):
    """For each tile, for each datum in L1 order: the element of the array, or None for padding."""
    height = shape[-2] if len(shape) > 1 else 1
    width = shape[-1] if shape else 1
    matrices = 1
    for n in shape[:-2]:
        matrices *= n
    for m in range(matrices):
        for ty in range(-(-height // rows)):
            for tx in range(-(-width // columns)):
                tile = []
                face_rows = min(rows, 16)
                for fy in range(rows // face_rows):
                    for fx in range(columns // 16):
                        for r in range(face_rows):
                            for c in range(16):
                                y = ty * rows + fy * face_rows + r
                                x = tx * columns + fx * 16 + c
                                inside = y < height and x < width
                                tile.append((m * height + y) * width + x if inside else None)
                yield tile


def early_bf16(v):
    """C.8.1: NaN to Inf, nearest with ties away, then exponent 0 to +0."""
    if v & 0x7F800000 == 0x7F800000:
        return v >> 16 & 0xFF80
    t = (v + 0x8000) >> 16
    return t if t & 0x7F80 else 0


def assemble(group, bits):
    """C.8.5: 16 BF16 patterns to the exponent and 7, 3 or 1 bits with sign."""
    shared = max(x >> 7 & 255 for x in group)
    out = []
    for x in group:
        e = x >> 7 & 255
        m = (128 if e else 0) | x & 127
        d = shared - e
        q = 0 if d >= 8 else min((m + (1 << d)) >> (d + 1), 127)
        q >>= 8 - bits
        out.append((x >> 15) << (bits - 1) | q if q else 0)
    return shared, out


BLOCK = {"bfp8_b": 8, "bfp4_b": 4, "bfp2_b": 2}


def pack_bits(data, bits):
    out = bytearray()
    per = 8 // bits
    for i in range(0, len(data), per):
        out.append(sum(d << (k * bits) for k, d in enumerate(data[i:i + per])))
    return bytes(out)


def pack_tile(name, words):
    if name == "float32":
        return struct.pack("<%dI" % len(words), *words)
    half = [early_bf16(w) for w in words]
    if name == "float16_b":
        return struct.pack("<%dH" % len(half), *half)
    exponents, data = bytearray(), []
    for g in range(0, len(half), 16):
        e, d = assemble(half[g:g + 16], BLOCK[name])
        exponents.append(e)
        data += d
    exponents += b"\0" * (-len(exponents) % 16)
    return bytes(exponents) + pack_bits(data, BLOCK[name])


def unpack_datum(d, bits, e):
    """C.5, X(d8, E)."""
    d <<= 8 - bits
    g = d << 1 & 255
    sign = d >> 7
    if g == 0:
        return 0xFF80 if sign else 0
    z = 8 - g.bit_length()
    return sign << 15 | ((e - z) & 255) << 7 | (g << z) & 0x7E


def unpack_tile(name, data, count):
    if name == "float32":
        return list(struct.unpack("<%dI" % count, data))
    if name == "float16_b":
        return [h << 16 for h in struct.unpack("<%dH" % count, data)]
    bits = BLOCK[name]
    section = -(-count // 16 // 16) * 16
    out = []
    for i in range(count):
        byte = data[section + i * bits // 8]
        d = byte >> (i * bits % 8) & ((1 << bits) - 1)
        out.append(unpack_datum(d, bits, data[i // 16]) << 16)
    return out


def nearest_even(w):
    if w & 0x7FFFFFFF > 0x7F800000:
        return w >> 16 | 0x40
    low, half = w & 0xFFFF, w >> 16
    return half + (1 if low > 0x8000 or (low == 0x8000 and half & 1) else 0)


def square(words):
    """Values of at most 8 significant bits: the product is exact in FP32, its low half is cut."""
    out = []
    for w in words:
        x = struct.unpack("<f", struct.pack("<I", w))[0]
        out.append(struct.unpack("<I", struct.pack("<f", x * x))[0] & 0xFFFF0000)
    return out


def size_of(name):
    return {"float32": 4096, "float16_b": 2048}.get(name) or 64 + 128 * BLOCK[name]


def tile_of(words):
    return tuple(int(n) for n in words[0].split("x")) if words else (32, 32)


def main(argv):
    what, rest = argv[0], argv[1:]
    if what == "pack":
        shape, words = load(rest[1])
        with open(rest[2], "wb") as f:
            for tile in places(shape, *tile_of(rest[3:])):
                f.write(pack_tile(rest[0], [0 if i is None else words[i] for i in tile]))
    elif what == "unpack":
        shape = ast.literal_eval(rest[3])
        rows, columns = tile_of(rest[4:])
        tiles = list(places(shape, rows, columns))
        data = open(rest[1], "rb").read()
        size = len(data) // len(tiles)
        words = {}
        for t, tile in enumerate(tiles):
            values = unpack_tile(rest[0], data[t * size:(t + 1) * size], rows * columns)
            words.update((i, v) for i, v in zip(tile, values) if i is not None)
        save(rest[2], "<f4", shape, [words[i] for i in range(len(words))])
    elif what == "bf16":
        shape, words = load(rest[0])
        save(rest[1], "<u2", shape, [nearest_even(w) for w in words])
    elif what == "square":
        data = open(rest[0], "rb").read()
        with open(rest[2], "wb") as f:
            for at in range(0, len(data), size_of(rest[1])):
                words = unpack_tile(rest[1], data[at:at + size_of(rest[1])], 1024)
                f.write(pack_tile(rest[3], square(words)))
    elif what == "npz":
        deflate = "--deflate" in rest
        with zipfile.ZipFile(rest[0], "w", zipfile.ZIP_DEFLATED if deflate else 0) as z:
            for item in rest[1:]:
                if item != "--deflate":
                    name, path = item.split("=")
                    z.write(path, name + ".npy")
    else:
        sys.exit(__doc__)


def serve():
    """One line of words after another, as a shell quotes them; each is answered when it is done."""
    for line in sys.stdin:
        main(shlex.split(line))
        print("done", flush=True)


if sys.argv[1:] == ["serve"]:
    serve()
else:
    main(sys.argv[1:])
