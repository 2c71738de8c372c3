#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does a new machine build and test this commit? A bare Debian 12 (mmdebstrap minbase with
# ca-certificates, gcc, git and make) is made in a folder, the tree is cloned into it, and
# make demo and make test run there, as root and then, in another one, as a user with sudo.
# fresh.sh --or-here, for a machine that tests every commit: as root alone, and make test on the
# machine as it is where such a root cannot be made. The last line is "N passed, N failed".
#
# Every step runs in mount and process namespaces of its own: its mounts and whatever it started
# end with it. apt, pip and TLS inside are set up as they are on this machine. FRESH_DIR names a
# folder for the roots (default /var/tmp), TESTS=REGEX runs a part of the tests, logs are in
# build-fresh/.
set -euo pipefail
cd "$(dirname "$0")/.."
tree=$PWD
logs=$tree/build-fresh
release=bookworm
include=ca-certificates,gcc,git,make
home_of() { if [ "$1" = root ]; then echo /root; else echo "/home/$1"; fi; }

inside() { # ROOT USER COMMAND...: the first process of a namespace, see enter
    local root=$1 user=$2
    shift 2
    mount -t proc proc "$root/proc"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
    mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
    mount -t sysfs -o ro sysfs "$root/sys" || true
    local environment=() name
    for name in ${!PIP_@} {http,https,ftp,all,no}_proxy {HTTP,HTTPS,FTP,ALL,NO}_PROXY TESTS; do
        if [ -n "${!name:-}" ] && [ "$name" != PIP_FIND_LINKS ]; then
            environment+=("$name=${!name}")
        fi
    done
    # Not exec: this shell takes up processes that lose their parents.
    env -i "${environment[@]}" HOME="$(home_of "$user")" USER="$user" TERM=dumb LC_ALL=C.UTF-8 \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        chroot --userspec="$user:$user" "$root" \
        sh -c 'cd "$HOME/tree" && exec "$@"' sh "$@" </dev/null
}
if [ "${1:-}" = --inside ]; then
    shift
    inside "$@"
    exit
fi

enter() { # ROOT USER COMMAND...
    unshare --mount --pid --fork --kill-child -- bash "$tree/scripts/fresh.sh" --inside "$@"
}

or_here=no
case "$#,${1:-}" in
0,) ;;
1,--or-here) or_here=yes ;;
*)
    echo "usage: $0 [--or-here]" >&2
    exit 2
    ;;
esac

cannot() { # WHY: no root can be made here
    echo "fresh: no bare Debian 12 can be made here: $1"
    if [ "$or_here" = yes ]; then
        echo "fresh: make test runs on this machine as it is"
        cleanup
        exec make test
    fi
    echo "0 passed, 1 failed"
    exit 1
}

work=
cleanup() {
    trap - EXIT
    [ -z "$work" ] || rm -rf --one-file-system "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM HUP

# What apt is told on this machine of ways and checks, which is nothing on most.
apt_settings() {
    apt-config dump | grep -E '^Acquire::(http|https|ftp|Retries|ForceIPv|Check-)' || true
    local kind proxy
    for kind in http https; do
        proxy=${kind}_proxy
        [ -z "${!proxy:-}" ] || echo "Acquire::$kind::Proxy \"${!proxy}\";"
    done
}

# This machine's mirrors of the release; none named, mmdebstrap takes Debian's own.
mirrors() {
    apt-get indextargets --format '$(ORIGIN) deb $(REPO_URI) $(RELEASE) $(COMPONENT)' \
        'Created-By: Packages' |
        sed -nE "s/^Debian (deb [^ ]+ $release(-updates|-security)? )/\1/p" | sort -u
}

make_base() { # the root as an archive
    if ! command -v mmdebstrap >/dev/null; then
        apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 \
            install -y --no-install-recommends mmdebstrap || return 1
    fi
    apt_settings >"$work/apt.conf"
    mirrors >"$work/sources"
    local from=()
    [ ! -s "$work/sources" ] || from=("$work/sources")
    TMPDIR=$work timeout 1200 unshare --mount -- mmdebstrap --mode=root --variant=minbase \
        --include="$include,sudo" --aptopt="$work/apt.conf" "$release" "$work/base.tar" \
        "${from[@]}"
}

settle() { # ROOT USER: what a person would set up, and the tree
    local root=$1 user=$2 home file
    home=$(home_of "$user")
    mkdir "$root"
    tar -C "$root" -xf "$work/base.tar"
    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    # As bare as it comes: only names that this machine was taught, nothing of localhost.
    if grep -vE '^ *(#|$)|localhost|ip6-' /etc/hosts >"$work/hosts"; then
        cp "$work/hosts" "$root/etc/hosts"
    fi
    cp /usr/local/share/ca-certificates/*.crt "$root/usr/local/share/ca-certificates/" \
        2>/dev/null || true
    chroot "$root" update-ca-certificates
    for file in /etc/pip.conf "$HOME/.config/pip/pip.conf" "$HOME/.pip/pip.conf"; do
        [ ! -f "$file" ] || cp "$file" "$root/etc/pip.conf"
    done
    if [ "$user" != root ]; then
        chroot "$root" useradd --home-dir "$home" --user-group --shell /bin/bash "$user"
        echo "$user ALL=(ALL) NOPASSWD: ALL" >"$root/etc/sudoers.d/$user"
    else
        chroot "$root" dpkg --purge --force-all sudo # root needs none, and has none in minbase
    fi
    mkdir -p "$root$home"
    printf '[safe]\n\tdirectory = *\n' >"$work/gitconfig"
    GIT_CONFIG_GLOBAL=$work/gitconfig git clone --quiet --no-hardlinks "$tree" "$root$home/tree"
    chroot "$root" chown -R "$user:$user" "$home"
    enter "$root" "$user" true
}

report=()
passed=0 failed=0
note() { report+=("fresh: $1"); }

run() { # USER: make demo and make test in a root of its own
    local user=$1 root=$work/$1 log=$logs/$1.log
    settle "$root" "$user" >"$logs/settle.log" 2>&1 || {
        tail -n 5 "$logs/settle.log"
        cannot "the root could not be set up"
    }
    if [ "$or_here" = yes ] &&
        ! enter "$root" "$user" timeout 1800 scripts/deps.sh test 2>&1 | tee "$log"; then
        cannot "its packages could not be installed"
    fi
    echo "fresh: make demo and make test as $user in a bare $(cat "$root/etc/debian_version")"
    { enter "$root" "$user" make demo || echo "make demo failed"; } 2>&1 | tee -a "$log"
    { enter "$root" "$user" make test || true; } 2>&1 | tee -a "$log"
    if [ "$or_here" = no ] && [ "$user" = root ]; then # what make test leaves to the campaign
        { enter "$root" "$user" scripts/test.sh -L kinds || true; } 2>&1 | tee "$logs/kinds.log"
        note "$user: other kinds of builds: $(tail -n 1 "$logs/kinds.log")"
        grep -q '^[0-9]* passed, 0 failed$' "$logs/kinds.log" || failed=$((failed + 1))
        grep '^skipped: ' "$logs/kinds.log" | sed 's/^/fresh: /' || true
    fi
    local line part
    if grep -q '^make demo failed' "$log"; then
        note "$user: make demo failed"
        failed=$((failed + 1))
    else
        note "$user: make demo is good"
    fi
    while read -r line; do
        note "$user: ${line#deps: }"
    done < <(grep -E '^(deps|skipped): ' "$log")
    part=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1)
    note "$user: ${part:-make test did not come to its end}"
    part=${part:-0 passed, 1 failed}
    passed=$((passed + ${part%% *}))
    part=${part#*, }
    failed=$((failed + ${part%% *}))
    rm -rf --one-file-system "$root"
}

started=$SECONDS
[ "$(id -u)" -eq 0 ] || cannot "that takes root (sudo make fresh)"
[ "${TENSIX_NO_DEPS:-0}" != 1 ] || cannot "TENSIX_NO_DEPS=1 forbids to install"
command -v apt-get >/dev/null || cannot "no apt-get"
unshare --mount --pid --fork --kill-child true 2>/dev/null || cannot "no namespaces may be made"
[ "$(df -Pk "${FRESH_DIR:-/var/tmp}" | awk 'END { print $4 }')" -gt 10000000 ] ||
    cannot "${FRESH_DIR:-/var/tmp} has less than 10 GB"
rm -rf "$logs"
mkdir -p "$logs"
work=$(mktemp -d "${FRESH_DIR:-/var/tmp}/tensix-fresh.XXXXXX")
chmod 755 "$work"
make_base >"$logs/base.log" 2>&1 || {
    tail -n 5 "$logs/base.log"
    cannot "mmdebstrap failed"
}
git -c safe.directory="$tree" diff --quiet HEAD ||
    note "changes that are not committed are left out"
note "commit $(git -c safe.directory="$tree" log -1 --format='%h %s')"
run root
[ "$or_here" = yes ] || run tester
echo
printf '%s\n' "${report[@]}"
echo "fresh: $((SECONDS - started)) s"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
