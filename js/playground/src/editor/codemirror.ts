/** The editor proper, in a chunk of its own. */

import { autocompletion, closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, bracketMatching, foldGutter, foldKeymap, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic as Mark, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorSelection, EditorState, type Extension } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Diagnostic } from 'virt-autopilot-ui';

import { type Range, placeOf } from './locate';

export { holds, placeOf, withAnnotation } from './locate';

export interface EditorHandle {
  /** Shows another text; the history begins anew where it is another document. */
  show(text: string, document: string): void;
  mark(findings: readonly Diagnostic[]): void;
  reveal(range: Range): void;
  focus(): void;
  destroy(): void;
}

export interface EditorOptions {
  label: string;
  onChange: (text: string) => void;
}

const token = (name: string) => `var(--pf-t--global--${name})`;

/** Only PatternFly's tokens, so that themes hold. */
const theme = EditorView.theme({
  '&': { height: '100%', fontSize: token('font--size--body--sm'), color: token('text--color--regular') },
  '&.cm-focused': { outline: `2px solid ${token('border--color--clicked')}`, outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: token('font--family--mono'), lineHeight: '1.55' },
  '.cm-content': { caretColor: token('text--color--regular') },
  '.cm-gutters': {
    backgroundColor: token('background--color--secondary--default'),
    color: token('text--color--subtle'),
    border: 'none',
  },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: `color-mix(in srgb, ${token('background--color--secondary--default')} 60%, transparent)` },
  '.cm-activeLineGutter': { backgroundColor: token('background--color--secondary--hover') },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: `color-mix(in srgb, ${token('border--color--clicked')} 25%, transparent)`,
  },
  '.cm-cursor': { borderLeftColor: token('text--color--regular') },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: token('background--color--floating--default'),
    color: token('text--color--regular'),
    border: `1px solid ${token('border--color--default')}`,
  },
  '.cm-diagnosticText code': { fontFamily: token('font--family--mono') },
  '.cm-kubernetes': { fontWeight: 'bold' },
  '.cm-annotation': { color: token('text--color--status--custom--default'), fontWeight: 'bold' },
});

const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: token('text--color--link--default') },
  { tag: [tags.string, tags.special(tags.string)], color: token('text--color--status--success--default') },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.content], color: token('text--color--regular') },
  { tag: tags.comment, color: token('text--color--subtle'), fontStyle: 'italic' },
  { tag: [tags.separator, tags.punctuation, tags.meta], color: token('text--color--subtle') },
]);

/** What every Kubernetes object has, and the annotations that the autopilot reads. */
const words = new MatchDecorator({
  regexp: /^(?:apiVersion|kind|metadata|spec|status|data)(?=:)|platform\.kubevirt\.io\/[\w-]+/g,
  decoration: ([match]) => Decoration.mark({ class: match.includes('/') ? 'cm-annotation' : 'cm-kubernetes' }),
});

const kubernetes = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = words.createDeco(view);
    }
    update(update: ViewUpdate) {
      this.decorations = words.updateDeco(update, this.decorations);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

/**
 * Text that replaces a selection, or that has several lines, is put in without the browser's help: it would keep the look
 * of what was there by a style attribute, which is against the page's policy.
 */
const ownInput = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { inputType, data } = event;
    const { from, to, empty } = view.state.selection.main;
    if (inputType !== 'insertText' || data === null || view.composing || (empty && !data.includes('\n'))) return false;
    const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    if (!view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
    event.preventDefault();
    return true;
  },
});

/** Puts an editor into an element. */
export function openEditor(parent: HTMLElement, { label, onChange }: EditorOptions): EditorHandle {
  // In a shadow root the editor's style is a constructed sheet: a style element would be against the page's policy.
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' });
  let document = '';
  let silent = false;
  const extensions: Extension = [
    lineNumbers(),
    lintGutter(),
    foldGutter(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    autocompletion({ override: [] }),
    highlightSelectionMatches(),
    search({ top: true }),
    yaml(),
    syntaxHighlighting(colors),
    kubernetes,
    ownInput,
    theme,
    // What scrolls must hold something that takes the focus, and not all tools know that edited text does.
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    EditorState.tabSize.of(2),
    // Tab leaves the editor, as it leaves any other field.
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !silent) onChange(update.state.doc.toString());
    }),
  ];
  const view = new EditorView({ state: EditorState.create({ doc: '', extensions }), parent: root, root });

  return {
    show(text, name) {
      if (name !== document) {
        document = name;
        view.setState(EditorState.create({ doc: text, extensions }));
      } else if (view.state.doc.toString() !== text) {
        silent = true;
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
        silent = false;
      }
    },
    mark(findings) {
      view.dispatch(setDiagnostics(view.state, marksOf(view.state.doc.toString(), findings.filter(({ source }) => source?.file === undefined || source.file === document))));
    },
    reveal({ from, to }) {
      const end = Math.min(to, view.state.doc.length);
      const range = EditorSelection.range(Math.min(from, end), end);
      view.dispatch({ selection: range, effects: EditorView.scrollIntoView(range, { y: 'center' }) });
      view.focus();
    },
    focus() {
      view.focus();
    },
    destroy() {
      view.destroy();
    },
  };
}

function marksOf(text: string, findings: readonly Diagnostic[]): Mark[] {
  return findings
    .flatMap(({ source, severity, message, help }) => {
      const place = source && placeOf(text, source);
      return place ? [{ ...place, severity, message: help ? `${message}\n${help}` : message }] : [];
    })
    .sort((a, b) => a.from - b.from);
}
