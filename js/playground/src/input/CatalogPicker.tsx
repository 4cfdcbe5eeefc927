import { Alert, Button, FormSelectOption, Popover } from '@patternfly/react-core';
import FolderOpenIcon from '@patternfly/react-icons/dist/esm/icons/folder-open-icon.js';
import UploadIcon from '@patternfly/react-icons/dist/esm/icons/upload-icon.js';
import { useState } from 'react';
import { type Behavior, Ticked } from 'virt-autopilot-ui';

import { type PathFile, type TextFile, readCatalog } from '../files/dropped';
import type { Session } from '../session';
import { t } from '../texts';
import { Choice } from './Choice';
import { DropZone } from './DropZone';
import { FileButton } from './FileButton';

const BEHAVIORS: readonly Behavior[] = ['4.22', '4.23', 'ga'];
const OWN = 'own';

export interface CatalogPickerProps {
  session: Session;
  onSession: (update: (session: Session) => Session) => void;
  catalogs: readonly string[];
  catalogBehavior: Behavior | undefined;
}

/** Which release's assets are planned, and how its controller behaves. */
export function CatalogPicker({ session, onSession, catalogs, catalogBehavior }: CatalogPickerProps) {
  const [failure, setFailure] = useState<string>();
  const { catalog, behavior } = session;
  const value = catalog.kind === 'builtIn' ? `built-in:${catalog.name}` : 'files';

  const take = async (dropped: readonly PathFile[]) => {
    setFailure(undefined);
    try {
      const files = await catalogFiles(dropped);
      if (files === undefined) setFailure(t('catalog.none'));
      else onSession((before) => ({ ...before, catalog: { kind: 'files', name: nameOf(dropped), files }, behavior: null }));
    } catch (thrown) {
      setFailure(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };

  return (
    <DropZone onFiles={(files) => { void take(files); }}>
      <div className="pg-catalog">
        <Choice
          label={t('catalog.label')}
          value={value}
          onChange={(chosen) => {
            const name = chosen.replace(/^built-in:/, '');
            if (chosen !== 'files') onSession((before) => ({ ...before, catalog: { kind: 'builtIn', name } }));
          }}
        >
          {catalogs.map((name) => (
            <FormSelectOption key={name} value={`built-in:${name}`} label={t('catalog.builtIn', { name })} />
          ))}
          {catalog.kind === 'files' && <FormSelectOption value="files" label={catalog.name} />}
        </Choice>
        <Choice
          label={t('catalog.behavior')}
          value={behavior ?? OWN}
          onChange={(chosen) => {
            onSession((before) => ({ ...before, behavior: chosen === OWN ? null : (chosen as Behavior) }));
          }}
        >
          <FormSelectOption
            value={OWN}
            label={behavior === null && catalogBehavior ? `${t('catalog.own')} (${catalogBehavior})` : t('catalog.own')}
          />
          {BEHAVIORS.map((choice) => (
            <FormSelectOption key={choice} value={choice} label={choice} />
          ))}
        </Choice>
        <Popover
          aria-label={t('catalog.load')}
          headerContent={t('catalog.load')}
          bodyContent={(hide) => {
            const choose = (files: PathFile[]) => {
              hide();
              void take(files);
            };
            return (
              <div className="pg-filebar">
                <FileButton icon={<FolderOpenIcon />} text={t('catalog.choose')} folder onFiles={choose} />
                <FileButton icon={<UploadIcon />} text={t('catalog.bundle')} onFiles={choose} />
              </div>
            );
          }}
        >
          <Button variant="secondary" icon={<FolderOpenIcon />} aria-label={t('catalog.load')} title={t('catalog.load')} />
        </Popover>
      </div>
      {failure !== undefined && (
        <Alert isInline isLiveRegion variant="danger" title={<Ticked text={failure} />} />
      )}
    </DropZone>
  );
}

async function catalogFiles(dropped: readonly PathFile[]): Promise<TextFile[] | undefined> {
  const only = dropped.length === 1 ? dropped[0] : undefined;
  if (only && /\.json$/i.test(only.path)) return [{ name: 'bundle.json', text: await only.file.text() }];
  const { files } = await readCatalog(dropped);
  return files.some(({ name }) => name === 'active/metadata.yaml') ? files : undefined;
}

/** The folder's name, or the archive's without its ending. */
function nameOf(dropped: readonly PathFile[]): string {
  return (dropped[0]?.path.split('/')[0] ?? '').replace(/\.(json|zip|tgz|tar|tar\.gz)$/i, '') || 'custom';
}
