/** A YAML editor. Until its code is there, or where it cannot be had, a plain text field does. */

import { TextArea } from '@patternfly/react-core';
import { useEffect, useRef, useState } from 'react';
import type { Diagnostic } from 'virt-autopilot-ui';

import type { EditorHandle } from './codemirror';
import type { Range } from './locate';

type EditorModule = typeof import('./codemirror');

let loading: Promise<EditorModule> | undefined;

/** Loads the editor's code once. */
export function loadEditor(): Promise<EditorModule> {
  loading ??= import('./codemirror');
  return loading;
}

/** The editor's code; `undefined` until it is there. */
export function useEditorModule(): EditorModule | undefined {
  const [module, setModule] = useState<EditorModule>();
  useEffect(() => {
    let gone = false;
    loadEditor().then(
      (loaded) => { if (!gone) setModule(loaded); },
      () => { loading = undefined; },
    );
    return () => { gone = true; };
  }, []);
  return module;
}

export interface Reveal extends Range {
  /** Which document the place is in. */
  document: string;
  /** Counts, so that the same place can be shown again. */
  count: number;
}

export interface EditorProps {
  /** Names the text: another name is another document. */
  document: string;
  value: string;
  label: string;
  onChange: (text: string) => void;
  /** Those that have a place in the text are shown there. */
  findings?: readonly Diagnostic[];
  reveal?: Reveal | undefined;
}

const NONE: readonly Diagnostic[] = [];

export function Editor(props: EditorProps) {
  const module = useEditorModule();
  const { value, label, onChange } = props;
  if (module === undefined) {
    return (
      <TextArea
        className="pg-editor pg-editor--plain"
        aria-label={label}
        value={value}
        spellCheck={false}
        onChange={(_event, text) => { onChange(text); }}
      />
    );
  }
  return <CodeMirror module={module} {...props} />;
}

function CodeMirror({ module, document, value, label, onChange, findings = NONE, reveal }: EditorProps & { module: EditorModule }) {
  const parent = useRef<HTMLDivElement>(null);
  const handle = useRef<EditorHandle>(undefined);
  const change = useRef(onChange);
  change.current = onChange;

  useEffect(() => {
    if (parent.current === null) return undefined;
    const editor = module.openEditor(parent.current, { label, onChange: (text) => { change.current(text); } });
    handle.current = editor;
    return () => {
      editor.destroy();
      handle.current = undefined;
    };
  }, [module, label]);

  useEffect(() => { handle.current?.show(value, document); }, [module, label, value, document]);
  useEffect(() => { handle.current?.mark(findings); }, [module, label, document, findings]);
  useEffect(() => {
    if (reveal?.document === document) handle.current?.reveal(reveal);
  }, [module, document, reveal]);

  return <div className="pg-editor" ref={parent} />;
}
