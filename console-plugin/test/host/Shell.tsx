/** The console's frame: navigation, pages, and the details page of a resource with its tabs and actions. */

import type { LoadedExtension, PluginStore } from '@openshift/dynamic-plugin-sdk';
import type { Action, K8sResourceCommon } from '@openshift-console/dynamic-plugin-sdk';
import {
  Alert,
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
  Dropdown,
  DropdownItem,
  DropdownList,
  Masthead,
  MastheadBrand,
  MastheadMain,
  MenuToggle,
  Nav,
  NavExpandable,
  NavItem,
  NavList,
  Page,
  PageSection,
  PageSidebar,
  PageSidebarBody,
  Title,
} from '@patternfly/react-core';
import i18next from 'i18next';
import { type ComponentType, Suspense, createElement, useEffect, useMemo, useState } from 'react';
import { BrowserRouter, Link, Route, Routes, useNavigate, useParams } from 'react-router';

import { OverlayProvider, useK8sWatchResources } from './console-sdk';

interface ShellProps {
  store: PluginStore;
  problem: string | null;
}

type Extensions = LoadedExtension[];

export function Shell({ store, problem }: ShellProps) {
  const extensions = store.getExtensions();
  const ofType = (type: string) => extensions.filter((extension) => extension.type === type);
  return (
    <Suspense fallback="…">
      <BrowserRouter>
        <OverlayProvider>
          <Page
            masthead={
              <Masthead>
                <MastheadMain>
                  <MastheadBrand>Console</MastheadBrand>
                </MastheadMain>
              </Masthead>
            }
            sidebar={<Sidebar items={ofType('console.navigation/href')} />}
          >
            {problem !== null && <Alert variant="danger" title={problem} />}
            <Routes>
              {ofType('console.page/route').map(({ uid, properties }) => (
                <Route key={uid} path={String(properties.path)} element={<Lazy load={properties.component} />} />
              ))}
              <Route path="/k8s/ns/:namespace/:reference/:name/*" element={<Details extensions={extensions} />} />
              <Route path="*" element={<PageSection>Home</PageSection>} />
            </Routes>
          </Page>
        </OverlayProvider>
      </BrowserRouter>
    </Suspense>
  );
}

function Sidebar({ items }: { items: Extensions }) {
  return (
    <PageSidebar>
      <PageSidebarBody>
        <Nav aria-label="Main">
          <NavList>
            <NavExpandable title="Virtualization" isExpanded groupId="virtualization">
              {items
                .filter(({ properties }) => properties.section === 'virtualization')
                .map(({ uid, properties }) => (
                  <NavItem key={uid}>
                    <Link to={String(properties.href)}>{translated(properties.name)}</Link>
                  </NavItem>
                ))}
            </NavExpandable>
          </NavList>
        </Nav>
      </PageSidebarBody>
    </PageSidebar>
  );
}

function Details({ extensions }: { extensions: Extensions }) {
  const { namespace = '', reference = '', name = '', '*': href = '' } = useParams();
  const [group = '', version = '', kind = ''] = reference.split('~');
  const isOurs = ({ properties }: LoadedExtension) => {
    const model = properties.model as { group: string; version: string; kind: string } | undefined;
    return model?.group === group && model.version === version && model.kind === kind;
  };
  const resources = useMemo(() => ({ object: { groupVersionKind: { group, version, kind }, name, namespace } }), [group, version, kind, name, namespace]);
  const { object } = useK8sWatchResources<{ object: K8sResourceCommon }>(resources);
  const tabs = extensions.filter((extension) => extension.type === 'console.tab/horizontalNav' && isOurs(extension));
  const items = extensions.filter((extension) => extension.type === 'console.resource/details-item' && isOurs(extension));
  const providers = extensions.filter((extension) => extension.type === 'console.action/resource-provider' && isOurs(extension));
  const tab = tabs.find(({ properties }) => (properties.page as { href: string }).href === href);
  const obj = { ...object.data, apiVersion: `${group}/${version}`, kind };
  if (!object.loaded) return null;
  return (
    <>
      <PageSection>
        <Title headingLevel="h1">{name}</Title>
        {providers[0] && <Actions load={providers[0].properties.provider} object={obj} />}
        <Nav variant="horizontal-subnav" aria-label="Tabs">
          <NavList>
            <NavItem isActive={tab === undefined}>
              <Link to={`/k8s/ns/${namespace}/${reference}/${name}`}>Details</Link>
            </NavItem>
            {tabs.map(({ uid, properties }) => {
              const page = properties.page as { name: string; href: string };
              return (
                <NavItem key={uid} isActive={page.href === href}>
                  <Link to={`/k8s/ns/${namespace}/${reference}/${name}/${page.href}`}>{translated(page.name)}</Link>
                </NavItem>
              );
            })}
          </NavList>
        </Nav>
      </PageSection>
      {tab ? (
        <Lazy load={tab.properties.component} props={{ obj }} />
      ) : (
        <PageSection>
          <DescriptionList>
            {items.map(({ uid, properties }) => (
              <DescriptionListGroup key={uid}>
                <DescriptionListTerm>{translated(properties.title)}</DescriptionListTerm>
                <DescriptionListDescription>
                  <Lazy load={properties.component} props={{ obj }} />
                </DescriptionListDescription>
              </DescriptionListGroup>
            ))}
          </DescriptionList>
        </PageSection>
      )}
    </>
  );
}

type UseActions = (object: K8sResourceCommon) => [Action[], boolean, unknown];

function Actions({ load, object }: { load: unknown; object: K8sResourceCommon }) {
  const hook = useLoaded(load) as UseActions | undefined;
  return hook ? <ActionMenu useActions={hook} object={object} /> : null;
}

function ActionMenu({ useActions, object }: { useActions: UseActions; object: K8sResourceCommon }) {
  const [actions] = useActions(object);
  const [isOpen, setIsOpen] = useState(false);
  const navigate = useNavigate();
  return (
    <Dropdown
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      toggle={(ref) => (
        <MenuToggle ref={ref} onClick={() => { setIsOpen(!isOpen); }}>
          Actions
        </MenuToggle>
      )}
    >
      <DropdownList>
        {actions.map(({ id, label, description, cta }) => (
          <DropdownItem key={id} description={description} onClick={() => { if ('href' in cta) void navigate(cta.href); }}>
            {label}
          </DropdownItem>
        ))}
      </DropdownList>
    </Dropdown>
  );
}

function Lazy({ load, props = {} }: { load: unknown; props?: object }) {
  const component = useLoaded(load) as ComponentType<object> | undefined;
  return component ? createElement(component, props) : null;
}

function useLoaded(load: unknown): unknown {
  const [loaded, setLoaded] = useState<{ value: unknown }>();
  useEffect(() => {
    (load as () => Promise<unknown>)().then(
      (value) => { setLoaded({ value }); },
      (error: unknown) => { console.error(String(error), (error as Error).cause); },
    );
  }, [load]);
  return loaded?.value;
}

/** `%namespace~key%`, as extensions name their texts. */
function translated(text: unknown): string {
  const [, key] = /^%(.*)%$/.exec(String(text)) ?? [];
  return key === undefined ? String(text) : i18next.t(key);
}
