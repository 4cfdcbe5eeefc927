import { Alert, AlertActionCloseButton, Button, EmptyState, EmptyStateBody, FormSelect, FormSelectOption, Spinner } from '@patternfly/react-core';
import FileIcon from '@patternfly/react-icons/dist/esm/icons/file-icon.js';
import FolderOpenIcon from '@patternfly/react-icons/dist/esm/icons/folder-open-icon.js';
import PlusIcon from '@patternfly/react-icons/dist/esm/icons/plus-icon.js';
import TrashIcon from '@patternfly/react-icons/dist/esm/icons/trash-icon.js';
import UploadIcon from '@patternfly/react-icons/dist/esm/icons/upload-icon.js';
import { useEffect, useState } from 'react';
import { type Diagnostic, Ticked, TooLargeState, bytes } from 'virt-autopilot-ui';

import { Editor, type Reveal } from '../editor/Editor';
import { type PathFile, type TextFile, readManifests } from '../files/dropped';
import { TooLarge } from '../files/inflate';
import { t } from '../texts';
import { DropZone } from './DropZone';
import { FileButton } from './FileButton';

/** Longer texts are used but not edited, in characters. */
const MAX_EDIT = 2_000_000;

export interface FileSetProps {
  files: readonly TextFile[];
  help: string;
  /** What diagnostics put before the names. */
  prefix?: string;
  findings: readonly Diagnostic[];
  reveal: Reveal | undefined;
  onFiles: (files: readonly TextFile[]) => void;
  /** Files that were dropped or chosen. */
  onRead: (files: readonly TextFile[]) => void;
}

type Reading =
  | { kind: 'idle' | 'reading' }
  | { kind: 'done'; read: number; skipped: number }
  | { kind: 'failed'; message: string }
  | { kind: 'tooLarge'; size: number; limit: number };

/** Files of manifests: dropped, chosen or pasted, and one of them in the editor. */
export function FileSet({ files, help, prefix = '', findings, reveal, onFiles, onRead }: FileSetProps) {
  /** Which file to show: the first of these that is there. */
  const [chosen, setChosen] = useState<string[]>([]);
  const [reading, setReading] = useState<Reading>({ kind: 'idle' });
  const shown = chosen.map((wanted) => files.find(({ name }) => name === wanted)).find((file) => file !== undefined) ?? files[0];

  useEffect(() => {
    const revealed = files.find(({ name }) => `${prefix}${name}` === reveal?.document);
    if (revealed) setChosen([revealed.name]);
    // A place is shown once, when it is asked for.
  }, [reveal]); // eslint-disable-line react-hooks/exhaustive-deps

  const take = async (dropped: readonly PathFile[]) => {
    setReading({ kind: 'reading' });
    try {
      const { files: read, skipped } = await readManifests(dropped);
      if (read.length > 0) {
        onRead(read);
        setChosen(read.map(({ name }) => name));
      }
      setReading({ kind: 'done', read: read.length, skipped });
    } catch (thrown) {
      const size = dropped.reduce((sum, { file }) => sum + file.size, 0);
      if (thrown instanceof TooLarge) setReading({ kind: 'tooLarge', size: Math.max(size, thrown.limit + 1), limit: thrown.limit });
      else setReading({ kind: 'failed', message: thrown instanceof Error ? thrown.message : String(thrown) });
    }
  };

  const paste = () => {
    const taken = new Set(files.map(({ name }) => name));
    let name = `${t('input.pasted')}.yaml`;
    for (let count = 2; taken.has(name); count += 1) name = `${t('input.pasted')}-${count}.yaml`;
    onFiles([...files, { name, text: '' }]);
    setChosen([name]);
  };

  return (
    <DropZone onFiles={(dropped) => { void take(dropped); }}>
      <p className="pg-help va-quiet">{help}</p>
      <div className="pg-filebar">
        <FileButton icon={<UploadIcon />} text={t('input.browse')} onFiles={(list) => { void take(list); }} />
        <FileButton icon={<FolderOpenIcon />} text={t('input.folder')} folder onFiles={(list) => { void take(list); }} />
        <Button variant="secondary" size="sm" icon={<PlusIcon />} onClick={paste}>
          {t('input.paste')}
        </Button>
      </div>
      <ReadingNotice reading={reading} onClose={() => { setReading({ kind: 'idle' }); }} />
      {shown === undefined ? (
        <EmptyState headingLevel="h3" titleText={t('input.noFiles')} icon={FileIcon} variant="sm">
          <EmptyStateBody>{t('input.noFilesHelp')}</EmptyStateBody>
        </EmptyState>
      ) : (
        <>
          <div className="pg-filebar">
            <FormSelect
              aria-label={t('input.file')}
              value={shown.name}
              onChange={(_event, name) => { setChosen([name]); }}
              className="pg-filebar__select"
            >
              {files.map(({ name, text }) => (
                <FormSelectOption key={name} value={name} label={`${name} (${bytes(text.length)})`} />
              ))}
            </FormSelect>
            <Button
              variant="plain"
              icon={<TrashIcon />}
              aria-label={t('input.remove', { name: shown.name })}
              onClick={() => { onFiles(files.filter(({ name }) => name !== shown.name)); }}
            />
            {files.length > 1 && (
              <Button variant="link" isInline onClick={() => { onFiles([]); }}>
                {t('input.removeAll')}
              </Button>
            )}
          </div>
          {shown.text.length > MAX_EDIT ? (
            <p className="va-quiet">{t('input.large', { size: bytes(shown.text.length) })}</p>
          ) : (
            <Editor
              document={`${prefix}${shown.name}`}
              value={shown.text}
              label={shown.name}
              findings={findings}
              reveal={reveal}
              onChange={(text) => { onFiles(files.map((file) => (file.name === shown.name ? { ...file, text } : file))); }}
            />
          )}
        </>
      )}
    </DropZone>
  );
}

function ReadingNotice({ reading, onClose }: { reading: Reading; onClose: () => void }) {
  const close = <AlertActionCloseButton aria-label={t('input.dismiss')} onClose={onClose} />;
  switch (reading.kind) {
    case 'idle':
      return null;
    case 'reading':
      return (
        <p role="status">
          <Spinner size="md" aria-hidden="true" /> {t('input.reading')}
        </p>
      );
    case 'done':
      return (
        <Alert
          isInline
          isLiveRegion
          variant={reading.read > 0 ? 'success' : 'warning'}
          title={reading.read > 0 ? t('input.read', { count: reading.read }) : t('input.nothing')}
          actionClose={close}
        >
          {reading.skipped > 0 && t('input.skipped', { count: reading.skipped })}
        </Alert>
      );
    case 'failed':
      return <Alert isInline isLiveRegion variant="danger" title={<Ticked text={t('input.readFailed', { message: reading.message })} />} actionClose={close} />;
    case 'tooLarge':
      return <TooLargeState size={reading.size} limit={reading.limit} />;
  }
}
