import { Alert, Badge, Tab, TabTitleText, Tabs } from '@patternfly/react-core';
import { useEffect } from 'react';
import type { Demo } from 'virt-autopilot';
import { type Behavior, type Diagnostic, Ticked } from 'virt-autopilot-ui';

import { Editor, type Reveal } from '../editor/Editor';
import {
  DEMO,
  GIT_PREFIX,
  HCO_FILE,
  type InputTab,
  OVERRIDES_FILE,
  type Session,
  withClusterFiles,
  withText,
} from '../session';
import { splitDocuments } from '../documents';
import { t } from '../texts';
import { CatalogPicker } from './CatalogPicker';
import { FileSet } from './FileSet';
import { headingOf } from './SamplesDialog';

export interface InputPaneProps {
  session: Session;
  onSession: (update: (session: Session) => Session) => void;
  catalogs: readonly string[];
  /** The behaviour that the newest plan has. */
  catalogBehavior: Behavior | undefined;
  demo: Demo;
  tab: InputTab;
  onTab: (tab: InputTab) => void;
  findings: readonly Diagnostic[];
  reveal: Reveal | undefined;
}

/** The left side: what the plan is made of. */
export function InputPane(props: InputPaneProps) {
  const { session, onSession, catalogs, catalogBehavior, demo, tab, onTab, findings, reveal } = props;
  const edit = (name: string) => (text: string) => { onSession((before) => withText(before, name, text)); };
  const overrides = splitDocuments(session.overrides).length;

  useEffect(() => {
    // A file that is dropped beside the drop zones would replace the page.
    const refuse = (event: DragEvent) => { event.preventDefault(); };
    window.addEventListener('dragover', refuse);
    window.addEventListener('drop', refuse);
    return () => {
      window.removeEventListener('dragover', refuse);
      window.removeEventListener('drop', refuse);
    };
  }, []);

  return (
    <section className="pg-pane pg-input" aria-label={t('app.input')}>
      <CatalogPicker
        session={session}
        onSession={onSession}
        catalogs={catalogs}
        catalogBehavior={catalogBehavior}
      />
      <SampleNotice session={session} demo={demo} />
      <Tabs
        aria-label={t('input.tabs')}
        activeKey={tab}
        onSelect={(_event, key) => { onTab(key as InputTab); }}
        mountOnEnter
        unmountOnExit
        className="pg-tabs"
      >
        <Tab eventKey="hco" title={<TabTitleText>{t('input.hco')}</TabTitleText>}>
          <p className="pg-help va-quiet">{t('input.hcoHelp')}</p>
          <Editor
            document={HCO_FILE}
            value={session.hco}
            label={t('input.hco')}
            onChange={edit(HCO_FILE)}
            findings={findings}
            reveal={reveal}
          />
        </Tab>
        <Tab eventKey="cluster" title={<Counted name={t('input.cluster')} count={session.cluster.length} />}>
          <FileSet
            files={session.cluster}
            help={t('input.clusterHelp')}
            findings={findings}
            reveal={reveal}
            onFiles={(cluster) => { onSession((before) => ({ ...before, cluster })); }}
            onRead={(files) => { onSession((before) => withClusterFiles(before, files)); }}
          />
        </Tab>
        <Tab eventKey="overrides" title={<Counted name={t('input.overrides')} count={overrides} />}>
          <p className="pg-help va-quiet">{t('input.overridesHelp')}</p>
          <Editor
            document={OVERRIDES_FILE}
            value={session.overrides}
            label={t('input.overrides')}
            onChange={edit(OVERRIDES_FILE)}
            findings={findings}
            reveal={reveal}
          />
        </Tab>
        <Tab eventKey="git" title={<Counted name={t('input.git')} count={session.git.length} />}>
          <FileSet
            files={session.git}
            prefix={GIT_PREFIX}
            help={t('input.gitHelp')}
            findings={findings}
            reveal={reveal}
            onFiles={(git) => { onSession((before) => ({ ...before, git })); }}
            onRead={(files) => { onSession((before) => ({ ...before, git: merge(before.git, files) })); }}
          />
        </Tab>
      </Tabs>
    </section>
  );
}

function Counted({ name, count }: { name: string; count: number }) {
  return (
    <TabTitleText>
      {name} {count > 0 && <Badge isRead>{count}</Badge>}
    </TabTitleText>
  );
}

function SampleNotice({ session, demo }: { session: Session; demo: Demo }) {
  const { sample, hco, cluster } = session;
  if (sample === null || (hco.trim() === '' && cluster.length === 0)) return null;
  const situation = demo.situations.find(({ name }) => name === sample);
  if (sample !== DEMO && situation === undefined) return null;
  return (
    <Alert
      isInline
      isPlain
      variant="info"
      component="h2"
      className="pg-sample-notice"
      title={t('samples.notice', { name: situation ? headingOf(situation.name) : t('samples.demo') })}
    >
      <Ticked text={situation ? situation.title : t('samples.demoTitle')} />
    </Alert>
  );
}

function merge<File extends { name: string }>(before: readonly File[], files: readonly File[]): File[] {
  const names = new Set(files.map(({ name }) => name));
  return [...before.filter(({ name }) => !names.has(name)), ...files];
}
