// SPDX-License-Identifier: Apache-2.0
// The editor: CodeMirror, connected to the project's language server by the messages that any
// editor sends.
import {autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap} from
  '@codemirror/autocomplete';
import {defaultKeymap, history, historyKeymap, indentWithTab} from '@codemirror/commands';
import {HighlightStyle, StreamLanguage, bracketMatching, indentUnit, syntaxHighlighting} from
  '@codemirror/language';
import {lintGutter, lintKeymap, setDiagnostics} from '@codemirror/lint';
import {highlightSelectionMatches, searchKeymap} from '@codemirror/search';
import {Compartment, EditorState, RangeSetBuilder, StateEffect, StateField} from
  '@codemirror/state';
import {Decoration, EditorView, WidgetType, drawSelection, highlightActiveLine,
  highlightActiveLineGutter, highlightSpecialChars, hoverTooltip, keymap, lineNumbers} from
  '@codemirror/view';
import {tags} from '@lezer/highlight';

const QUIET = 220;

/* ---- colours, from the mnemonics of the tables ---- */

function language(mnemonics) {
  const known = new Set(mnemonics);
  return StreamLanguage.define({
    name: 'tensix',
    languageData: {commentTokens: {line: '#'}},
    token(stream) {
      if (stream.eatSpace()) return null;
      if (stream.match(/#.*/)) return 'comment';
      if (stream.match(/"(?:[^"\\]|\\.)*"?/)) return 'string';
      if (stream.match(/\.[A-Za-z_]\w*/)) return 'keyword';
      if (stream.match(/L(?:1[0-6]|[0-9])\b/)) return 'variableName.special';
      if (stream.match(/0[xX][0-9a-fA-F]+|[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?/))
        return 'number';
      const word = stream.match(/[A-Za-z_][\w:]*/);
      if (word) {
        const name = word[0].toLowerCase();
        const is = known.size ? known.has(name) || known.has(name.replace(/^tti?_/, '')) :
          /^(sfp|tt)[a-z0-9_]+$/.test(name); // until the tables have been loaded
        if (is) return 'typeName';
        return stream.match(/\s*\(/, false) ? 'function' : 'variableName';
      }
      stream.next();
      return 'operator';
    },
    tokenTable: {function: tags.function(tags.variableName)}
  });
}

const colours = HighlightStyle.define([
  {tag: tags.comment, color: 'var(--code-comment)', fontStyle: 'italic'},
  {tag: tags.string, color: 'var(--code-string)'},
  {tag: tags.keyword, color: 'var(--code-directive)'},
  {tag: tags.typeName, color: 'var(--code-mnemonic)', fontWeight: '600'},
  {tag: tags.special(tags.variableName), color: 'var(--code-register)'},
  {tag: tags.number, color: 'var(--code-number)'},
  {tag: tags.function(tags.variableName), color: 'var(--code-directive)'}
]);

/* ---- cycles at the end of lines, and lines that another view marks ---- */

class Hint extends WidgetType {
  constructor(text) { super(); this.text = text; }
  eq(other) { return other.text === this.text; }
  toDOM() {
    const node = document.createElement('span');
    node.className = 'hint';
    node.textContent = this.text;
    return node;
  }
}

const setMarks = StateEffect.define(), setHints = StateEffect.define();
const marks = effect => StateField.define({
  create: () => Decoration.none,
  update(old, transaction) {
    for (const e of transaction.effects) if (e.is(effect)) return e.value;
    return old.map(transaction.changes);
  },
  provide: field => EditorView.decorations.from(field)
});

export class Editor {
  #view;
  #engine;
  #serial = 0;       // version of the text that the server has
  #ready = null;     // promise: the server has a text
  #timer = 0;
  #id = 1;
  #uri = 'file:///examples/kernels/kernel.s';
  #chip = '';
  #language = new Compartment();
  #hooks;

  // hooks: change(text), diagnostics(list), explain(word), line(number), run()
  constructor(parent, engine, hooks) {
    this.#engine = engine;
    this.#hooks = hooks;
    parent.replaceChildren(); // the first kernel as plain text
    this.#view = new EditorView({
      parent,
      state: EditorState.create({
        doc: '',
        extensions: [
          lineNumbers(), lintGutter(), history(), drawSelection(), highlightSpecialChars(),
          highlightActiveLine(), highlightActiveLineGutter(), bracketMatching(), closeBrackets(),
          highlightSelectionMatches(), indentUnit.of('    '), EditorState.tabSize.of(4),
          this.#language.of(language([])), syntaxHighlighting(colours),
          marks(setMarks), marks(setHints),
          autocompletion({override: [context => this.#complete(context)]}),
          hoverTooltip((view, at) => this.#hover(at), {hoverTime: 350}),
          EditorView.contentAttributes.of({'aria-label': 'Kernel', spellcheck: 'false'}),
          EditorView.updateListener.of(update => {
            if (update.docChanged) this.#changed();
            if (update.selectionSet && !update.docChanged)
              hooks.line(update.state.doc.lineAt(update.state.selection.main.head).number);
          }),
          keymap.of([
            {key: 'Mod-Enter', preventDefault: true, run: () => { hooks.run(); return true; }},
            {key: 'F1', preventDefault: true, run: () => { hooks.explain(this.word()); return true; }},
            {key: 'F12', run: () => { this.#definition(); return true; }},
            ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap,
            ...completionKeymap, ...lintKeymap, indentWithTab
          ])
        ]
      })
    });
  }

  get text() { return this.#view.state.doc.toString(); }
  set text(text) {
    this.#view.dispatch({changes: {from: 0, to: this.#view.state.doc.length, insert: text},
      selection: {anchor: 0}, scrollIntoView: true});
  }
  get view() { return this.#view; }
  focus() { this.#view.focus(); }

  // Returns the word under the cursor.
  word() {
    const {state} = this.#view, at = state.wordAt(state.selection.main.head);
    return at ? state.sliceDoc(at.from, at.to) : '';
  }

  set mnemonics(names) {
    this.#view.dispatch({effects: this.#language.reconfigure(language(names))});
  }

  // The folder of the text, where included files are looked for; it ends with a slash.
  set folder(folder) {
    const uri = `file://${folder}kernel.s`;
    if (uri === this.#uri) return;
    this.#uri = uri;
    this.#restart();
  }

  // The chip of texts without .arch; "" stands for the server's own default.
  set chip(chip) {
    if (chip === this.#chip) return;
    this.#chip = chip;
    this.#restart();
  }

  // Marks lines for another view. reveal: scroll to the first one if it is not visible.
  mark(lines, reveal) {
    const {doc} = this.#view.state, builder = new RangeSetBuilder();
    const good = [...new Set(lines)].filter(n => n >= 1 && n <= doc.lines).sort((a, b) => a - b);
    for (const n of good)
      builder.add(doc.line(n).from, doc.line(n).from, Decoration.line({class: 'pointed'}));
    const effects = [setMarks.of(builder.finish())];
    if (reveal && good.length)
      effects.push(EditorView.scrollIntoView(doc.line(good[0]).from, {y: 'nearest', yMargin: 60}));
    this.#view.dispatch({effects});
  }

  go(line, column = 1) {
    const {doc} = this.#view.state, at = doc.line(Math.min(Math.max(line, 1), doc.lines));
    this.#view.dispatch({selection: {anchor: Math.min(at.from + column - 1, at.to)},
      effects: EditorView.scrollIntoView(at.from, {y: 'center'})});
    this.focus();
  }

  /* ---- the language server ---- */

  #request(method, params) {
    const id = this.#id++;
    return this.#engine.lsp({jsonrpc: '2.0', id, method, params}).then(said => {
      const answer = said.find(message => message.id === id);
      return answer ? answer.result : null;
    });
  }
  // About the text as it is now; null also where the server was ended, as it took too long.
  async #ask(method, params) {
    try {
      await this.#sync();
      return await this.#request(method, {textDocument: {uri: this.#uri}, ...params});
    } catch {
      return null;
    }
  }
  #notify(method, params) { return this.#engine.lsp({jsonrpc: '2.0', method, params}); }

  // Ends the server; the next one begins before anything else is asked.
  #restart() {
    if (this.#engine.started) {
      const before = Promise.resolve(this.#ready).catch(() => null);
      this.#ready = before.then(async () => {
        await this.#request('shutdown').catch(() => null);
        await this.#notify('exit', {}).catch(() => null);
        await this.#begin();
      });
      this.#ready.catch(() => { this.#ready = null; });
    }
    this.#changed();
  }

  async #begin() {
    await this.#request('initialize', {capabilities: {},
      initializationOptions: this.#chip ? {arch: this.#chip} : {}});
    this.#serial = 1;
    await this.#notify('textDocument/didOpen', {textDocument: {uri: this.#uri,
      languageId: 'tensix', version: this.#serial, text: this.text}});
  }

  // Makes sure that the server has the present text.
  #sync() {
    if (!this.#ready || !this.#engine.started) {
      this.#ready = this.#begin();
      this.#ready.catch(() => { this.#ready = null; });
      this.#stale = false;
    } else if (this.#stale) {
      this.#stale = false;
      this.#serial++;
      this.#ready = this.#ready.then(() => this.#notify('textDocument/didChange', {
        textDocument: {uri: this.#uri, version: this.#serial},
        contentChanges: [{text: this.text}]}));
      this.#ready.catch(() => { this.#ready = null; });
    }
    return this.#ready;
  }
  #stale = true;

  #changed() {
    this.#stale = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), QUIET);
    this.#hooks.change();
  }

  // Checks the text. Only one check runs at a time, because the server sends each message once.
  #looking = false;
  #again = false;
  async #look() {
    if (this.#looking) {
      this.#again = true;
      return;
    }
    this.#looking = true;
    await this.#check();
    this.#looking = false;
    if (this.#again) {
      this.#again = false;
      this.#look();
    }
  }
  #told(messages, uri) {
    const found = messages.find(one => one.method === 'textDocument/publishDiagnostics' &&
      one.params.uri === uri);
    return found && found.params.diagnostics;
  }
  // What the server says of another text.
  async problems(uri, text) {
    await this.#sync();
    // Asked together, so that no other question comes between and takes the answer.
    const [, said] = await Promise.all([
      this.#notify('textDocument/didOpen', {textDocument: {uri, languageId: 'tensix', version: 1, text}}),
      this.#engine.lsp(null), this.#notify('textDocument/didClose', {textDocument: {uri}})]);
    const mine = this.#told(said, this.#uri), found = this.#told(said, uri);
    if (mine) this.#show(mine);
    if (!found) throw new Error('The text could not be checked. Please ask again.');
    return found;
  }
  async #check() {
    const {doc} = this.#view.state;
    try {
      await this.#sync();
      const said = await this.#engine.lsp(null);
      if (doc !== this.#view.state.doc) return; // the text has changed: another check follows
      const found = this.#told(said, this.#uri);
      if (found) this.#show(found);
      const hints = await this.#request('textDocument/inlayHint', {textDocument: {uri: this.#uri},
        range: {start: {line: 0, character: 0}, end: {line: doc.lines, character: 0}}});
      if (doc === this.#view.state.doc) this.#hint(hints || []);
    } catch (error) {
      this.#ready = null;
      this.#show([{range: {start: {line: 0, character: 0}, end: {line: 0, character: 0}},
        severity: 2, message: 'Not checked: ' + error.message}]);
    }
  }

  #offset({line, character}) {
    const {doc} = this.#view.state;
    if (line >= doc.lines) return doc.length;
    const at = doc.line(line + 1);
    return Math.min(at.from + character, at.to);
  }
  #position(at) {
    const line = this.#view.state.doc.lineAt(at);
    return {line: line.number - 1, character: at - line.from};
  }

  #show(list) {
    const severities = ['', 'error', 'warning', 'info', 'hint'];
    const found = list.map(one => {
      let from = this.#offset(one.range.start), to = this.#offset(one.range.end);
      if (to <= from) to = Math.min(from + 1, this.#view.state.doc.length);
      return {from: Math.min(from, to), to, severity: severities[one.severity] || 'warning',
        source: one.code ? String(one.code) : undefined, message: one.message, raw: one};
    });
    this.#view.dispatch(setDiagnostics(this.#view.state, found));
    this.#hooks.diagnostics(found.map(one => ({...one,
      line: this.#view.state.doc.lineAt(one.from).number})));
  }

  #hint(list) {
    const builder = new RangeSetBuilder(), {doc} = this.#view.state;
    const sorted = list.filter(one => one.position.line < doc.lines)
      .sort((a, b) => a.position.line - b.position.line);
    for (const one of sorted) {
      const at = doc.line(one.position.line + 1).to;
      builder.add(at, at, Decoration.widget({widget: new Hint(one.label), side: 1}));
    }
    this.#view.dispatch({effects: setHints.of(builder.finish())});
  }

  async #hover(at) {
    const said = await this.#ask('textDocument/hover', {position: this.#position(at)});
    if (!said || !said.contents) return null;
    const word = this.#view.state.wordAt(at);
    return {pos: word ? word.from : at, end: word ? word.to : at, create: () => {
      const dom = document.createElement('div');
      dom.className = 'explained';
      dom.textContent = said.contents.value;
      return {dom};
    }};
  }

  async #complete(context) {
    const word = context.matchBefore(/[.\w:]+/);
    if (!word && !context.explicit) return null;
    const said = await this.#ask('textDocument/completion',
      {position: this.#position(context.pos)});
    const items = Array.isArray(said) ? said : said && said.items;
    if (!items || !items.length) return null;
    const kinds = {3: 'function', 6: 'variable', 14: 'keyword', 21: 'constant', 9: 'namespace'};
    return {from: word ? word.from : context.pos, validFor: /^[.\w:]*$/,
      options: items.map(one => ({label: one.label, detail: one.detail,
        type: kinds[one.kind] || 'text', apply: one.insertText || one.label}))};
  }

  async #definition() {
    const said = await this.#ask('textDocument/definition',
      {position: this.#position(this.#view.state.selection.main.head)});
    const place = Array.isArray(said) ? said[0] : said;
    if (place && place.uri === this.#uri) this.go(place.range.start.line + 1,
      place.range.start.character + 1);
  }
}
