import {
  Button,
  Dropdown,
  DropdownItem,
  DropdownList,
  MenuToggle,
  SkipToContent,
  Title,
  ToggleGroup,
  ToggleGroupItem,
} from '@patternfly/react-core';
import AdjustIcon from '@patternfly/react-icons/dist/esm/icons/adjust-icon.js';
import DownloadIcon from '@patternfly/react-icons/dist/esm/icons/download-icon.js';
import ListIcon from '@patternfly/react-icons/dist/esm/icons/list-icon.js';
import MoonIcon from '@patternfly/react-icons/dist/esm/icons/moon-icon.js';
import ShareAltIcon from '@patternfly/react-icons/dist/esm/icons/share-alt-icon.js';
import SunIcon from '@patternfly/react-icons/dist/esm/icons/sun-icon.js';
import { type ReactNode, useState } from 'react';

import type { EngineClient } from './engine/client';
import type { ListedPlan } from './engine/listing';
import { download } from './export/download';
import { reportOf } from './export/report';
import { t } from './texts';
import { THEMES, type Theme } from './theme';

export interface HeaderProps {
  pane: 'input' | 'result';
  onPane: (pane: 'input' | 'result') => void;
  theme: Theme;
  onTheme: (theme: Theme) => void;
  plan: ListedPlan | undefined;
  engine: EngineClient;
  onSamples: () => void;
  onShare: () => void;
  onNotice: (title: string) => void;
}

const THEME_ICONS: Record<Theme, ReactNode> = { system: <AdjustIcon />, light: <SunIcon />, dark: <MoonIcon /> };

export function Header({ pane, onPane, theme, onTheme, plan, engine, onSamples, onShare, onNotice }: HeaderProps) {
  return (
    <>
      <SkipToContent href="#result" onClick={(event) => { skip(event, onPane); }}>
        {t('app.skip')}
      </SkipToContent>
      <header className="pg-header">
        <div className="pg-header__name">
          <Title headingLevel="h1" size="lg">
            {t('app.title')}
          </Title>
          <span className="pg-title__note va-quiet">{t('app.local')}</span>
        </div>
        <div className="pg-actions">
          <Button variant="secondary" size="sm" icon={<ListIcon />} onClick={onSamples}>
            {t('app.samples')}
          </Button>
          <Button variant="secondary" size="sm" icon={<ShareAltIcon />} onClick={onShare}>
            {t('app.share')}
          </Button>
          <DownloadMenu plan={plan} engine={engine} onNotice={onNotice} />
          <ThemeMenu theme={theme} onTheme={onTheme} />
        </div>
      </header>
      <div className="pg-switch">
        <ToggleGroup aria-label={t('app.panes')}>
          {(['input', 'result'] as const).map((choice) => (
            <ToggleGroupItem
              key={choice}
              text={t(`app.${choice}`)}
              isSelected={pane === choice}
              onChange={() => { onPane(choice); }}
            />
          ))}
        </ToggleGroup>
      </div>
    </>
  );
}

/** The link's own way would change the fragment, which is for shared input. */
function skip(event: React.MouseEvent, onPane: (pane: 'result') => void): void {
  event.preventDefault();
  onPane('result');
  requestAnimationFrame(() => document.getElementById('result')?.focus());
}

function DownloadMenu({ plan, engine, onNotice }: Pick<HeaderProps, 'plan' | 'engine' | 'onNotice'>) {
  const [open, setOpen] = useState(false);
  const items = plan && {
    json: () => {
      void engine.call('planText', 'json').then((text) => { download('plan.json', text, 'application/json'); });
    },
    yaml: () => {
      void engine.call('planText', 'yaml').then((text) => { download('plan.yaml', text, 'application/yaml'); });
    },
    markdown: () => { download('plan.md', reportOf(plan), 'text/markdown'); },
    copyMarkdown: () => {
      void navigator.clipboard.writeText(reportOf(plan)).then(() => { onNotice(t('download.copied')); });
    },
  };
  return (
    <Dropdown
      isOpen={open}
      onOpenChange={setOpen}
      onSelect={() => { setOpen(false); }}
      popperProps={{ position: 'right' }}
      toggle={(ref) => (
        <MenuToggle
          ref={ref}
          size="sm"
          icon={<DownloadIcon />}
          isDisabled={items === undefined}
          isExpanded={open}
          onClick={() => { setOpen(!open); }}
        >
          {t('app.download')}
        </MenuToggle>
      )}
    >
      <DropdownList>
        {items &&
          (Object.keys(items) as (keyof typeof items)[]).map((key) => (
            <DropdownItem key={key} onClick={items[key]}>
              {t(`download.${key}`)}
            </DropdownItem>
          ))}
      </DropdownList>
    </Dropdown>
  );
}

function ThemeMenu({ theme, onTheme }: Pick<HeaderProps, 'theme' | 'onTheme'>) {
  const [open, setOpen] = useState(false);
  return (
    <Dropdown
      isOpen={open}
      onOpenChange={setOpen}
      onSelect={(_event, value) => {
        onTheme(value as Theme);
        setOpen(false);
      }}
      popperProps={{ position: 'right' }}
      toggle={(ref) => (
        <MenuToggle
          ref={ref}
          variant="plain"
          size="sm"
          icon={THEME_ICONS[theme]}
          aria-label={t('app.theme')}
          isExpanded={open}
          onClick={() => { setOpen(!open); }}
        />
      )}
    >
      <DropdownList>
        {THEMES.map((choice) => (
          <DropdownItem key={choice} value={choice} icon={THEME_ICONS[choice]} isSelected={choice === theme}>
            {t(`app.theme.${choice}`)}
          </DropdownItem>
        ))}
      </DropdownList>
    </Dropdown>
  );
}
