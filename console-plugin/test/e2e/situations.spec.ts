/** Clusters and readers of all sorts, each looked at in light and dark. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { FakeCluster, type Obj, ROOT, demoObjects } from './cluster';
import type { ConsoleServer } from './console-server';
import { PAGE, TAB, expect, settled, shot, test } from './fixtures';

const READER = new Set(['hyperconvergeds', 'nodes', 'services']);

function few(server: ConsoleServer): void {
  server.cluster.rights = ({ verb, resource }) => verb !== 'patch' && verb !== 'create' && READER.has(resource);
}

function operator(server: ConsoleServer, version: string): void {
  const hco = server.cluster.find('HyperConverged', 'kubevirt-hyperconverged');
  if (!hco) throw new Error('the demo has no HyperConverged');
  server.cluster.put({ ...hco, status: { versions: [{ name: 'operator', version }] } });
}

for (const theme of ['light', 'dark'] as const) {
  test.describe(theme, () => {
    test.beforeEach(({ server }) => { server.theme = theme; });

    test('a reader with few rights', async ({ page, server, origin }) => {
      few(server);
      await page.goto(`${origin}${PAGE}`);
      await settled(page);
      await expect(page.getByText(/The preview is incomplete: you may not read \d+ kinds of things/)).toBeVisible();
      await page.getByRole('button', { name: 'Show what is missing' }).click();
      await expect(page.getByText('Which nodes would reboot is told by their role labels alone')).toBeVisible();
      await expect(page.getByText('so they count as installed')).toBeVisible();
      await expect(page.getByText('They are taken to exist.')).toBeVisible();
      // What may not be read is said once, not for each asset that it concerns.
      await expect(page.getByText(/the snapshot does not show it|has no MachineConfigPool/)).toHaveCount(0);
      await expect(page.getByRole('button', { name: 'Ask the server', exact: true })).toBeDisabled();
      // What may not be read is not asked for.
      const reads = server.requests.filter(({ method }) => method === 'GET');
      expect(reads.filter(({ status }) => status === 403)).toEqual([]);
      expect(server.mutations()).toEqual([]);
      await shot(page, `reader-${theme}`);
    });

    test('who may not read the HyperConverged', async ({ page, server, origin }) => {
      server.cluster.rights = ({ resource }) => resource === 'nodes';
      await page.goto(`${origin}${PAGE}`);
      await expect(page.getByRole('heading', { name: 'The HyperConverged cannot be read' })).toBeVisible();
      await shot(page, `unreadable-${theme}`);
    });

    test('an administrator', async ({ page, server, origin, errors }) => {
      const operator = { apiVersion: 'operators.coreos.com/v1alpha1', kind: 'ClusterServiceVersion', spec: { displayName: 'Kube Descheduler Operator' } };
      server.cluster.put({ ...operator, metadata: { name: 'descheduler.v5', namespace: 'openshift-kube-descheduler-operator' } });
      server.cluster.put({ ...operator, metadata: { name: 'copy.v5', namespace: 'other', labels: { 'olm.copiedFrom': 'x' } }, spec: { displayName: 'Cluster Observability Operator' } });
      await page.goto(`${origin}${TAB}`);
      await settled(page);
      await expect(page.getByText(/which needs the Cluster Observability Operator/)).toBeVisible();
      await expect(page.getByText('Install the operator, or expect')).toBeVisible();
      await expect(page.getByText(/which needs the Kube Descheduler Operator/)).toBeHidden();
      await page.getByRole('button', { name: /^Ask the server about \d+ assets$/ }).click();
      await expect(page.getByText(/\d+ assets asked/)).toBeVisible();
      await expect(page.getByRole('progressbar')).toBeHidden();
      await shot(page, `admin-${theme}`);
      await page.getByRole('button', { name: 'descheduler-loadaware' }).first().click();
      await expect(page.getByRole('heading', { name: 'descheduler-loadaware' })).toBeVisible();
      await shot(page, `asset-${theme}`);
      await page.getByRole('tab', { name: 'Override' }).click();
      await page.getByRole('checkbox', { name: '/spec/deschedulingIntervalSeconds' }).check();
      await expect(page.getByText('The plan with the override')).toBeVisible();
      await shot(page, `override-${theme}`);
      expect(errors).toEqual([]);
    });

    test('the details item and the action', async ({ page, origin }) => {
      await page.goto(`${origin}${TAB.replace('/autopilot-preview', '')}`);
      await expect(page.getByText('Turned on for every asset')).toBeVisible();
      await expect(page.getByRole('link', { name: /\d+ Create, \d+ Update/ })).toBeVisible();
      await page.getByRole('button', { name: 'Actions' }).click();
      await expect(page.getByRole('menuitem', { name: /Preview the autopilot/ })).toBeVisible();
      await shot(page, `details-${theme}`);
      await page.getByRole('menuitem', { name: /Preview the autopilot/ }).click();
      await settled(page);
      await expect(page).toHaveURL(`${origin}${TAB}`);
    });

    test('a HyperConverged in v1, behaviour of 4.23', async ({ page, server, origin }) => {
      server.cluster = new FakeCluster(demoObjects('hco-in-v1'));
      operator(server, '4.23.1');
      await page.goto(`${origin}${TAB.replace('v1beta1', 'v1')}`);
      await settled(page);
      await expect(page.getByText('behaviour of 4.23')).toBeVisible();
      await expect(page.getByRole('combobox', { name: 'Behaviour' })).toContainText('Of the installed operator, 4.23.1');
      await shot(page, `v1-${theme}`);
    });

    test('a HyperConverged in v1beta1, behaviour of 4.22', async ({ page, origin }) => {
      await page.goto(`${origin}${TAB}`);
      await settled(page);
      await expect(page.getByText('behaviour of 4.22')).toBeVisible();
      await shot(page, `v1beta1-${theme}`);
    });

    test('no HyperConverged', async ({ page, server, origin }) => {
      const hco = server.cluster.find('HyperConverged', 'kubevirt-hyperconverged');
      server.cluster.remove('HyperConverged', 'kubevirt-hyperconverged');
      await page.goto(`${origin}${PAGE}`);
      await expect(page.getByRole('heading', { name: 'There is no HyperConverged' })).toBeVisible();
      await shot(page, `none-${theme}`);
      if (hco) server.cluster.put(hco);
      await settled(page);
    });

    test('500 nodes', async ({ page, server, origin }) => {
      const worker = demoObjects().find(({ kind, metadata }) => kind === 'Node' && metadata.labels?.['node-role.kubernetes.io/worker'] !== undefined && metadata.labels['node-role.kubernetes.io/control-plane'] === undefined);
      if (!worker) throw new Error('the demo has no worker');
      for (let index = 0; index < 497; index += 1) server.cluster.put(copyOf(worker, index));
      await page.goto(`${origin}${PAGE}`);
      await settled(page);
      await expect(page.getByText(/50\d nodes would drain and reboot|49\d nodes would drain and reboot/)).toBeVisible();
      await shot(page, `nodes-${theme}`);
      // A heartbeat changes nothing: no new plan is made.
      await page.evaluate(() => {
        new MutationObserver(() => { if (document.body.innerText.includes('Updating…')) document.documentElement.dataset.replanned = 'true'; }).observe(document.body, { subtree: true, childList: true, characterData: true });
      });
      const beat = server.cluster.put({ ...copyOf(worker, 0), status: { ...(worker.status as object), conditions: [{ type: 'Ready', lastHeartbeatTime: 'now' }] } });
      await expect(page.locator('html')).toHaveAttribute('data-event', `MODIFIED extra-0 ${beat.metadata.resourceVersion ?? ''}`);
      // A plan that is being made shows in the frame after the event.
      await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => { requestAnimationFrame(resolve); }); }));
      await expect(page.locator('html')).not.toHaveAttribute('data-replanned', 'true');
      const hco = server.cluster.find('HyperConverged', 'kubevirt-hyperconverged');
      // An activation does.
      if (hco) server.cluster.put({ ...hco, metadata: { ...hco.metadata, annotations: { 'platform.kubevirt.io/autopilot': 'false' } } });
      await expect(page.getByText('Turned off: no asset is applied')).toBeVisible();
      await expect(page.locator('html')).toHaveAttribute('data-replanned', 'true');
    });

    test('a what-if', async ({ page, server, origin }) => {
      const hco = server.cluster.find('HyperConverged', 'kubevirt-hyperconverged');
      if (hco) server.cluster.put({ ...hco, metadata: { ...hco.metadata, annotations: {} } });
      await page.goto(`${origin}${PAGE}`);
      await settled(page);
      await expect(page.getByText('Turned off: no asset is applied')).toBeVisible();
      await page.getByRole('combobox', { name: 'Activation' }).selectOption({ label: 'What if everything is turned on' });
      await expect(page.getByText('Turned on for every asset')).toBeVisible();
      await expect(page).toHaveURL(/activation=true/);
      await shot(page, `what-if-${theme}`);
    });
  });
}

test('the role of the README is enough to read everything', async ({ page, server, origin }) => {
  const [, role = ''] = /```yaml\n([^`]*kind: ClusterRole\n[^`]*)```/.exec(readFileSync(join(ROOT, 'console-plugin/README.md'), 'utf8')) ?? [];
  const { rules } = parse(role) as { rules: { apiGroups: string[]; resources: string[]; verbs: string[] }[] };
  server.cluster.rights = ({ verb, group, resource }) =>
    rules.some(({ apiGroups, resources, verbs }) => verbs.includes(verb) && apiGroups.includes(group) && resources.includes(resource));
  await page.goto(`${origin}${PAGE}`);
  await settled(page);
  await expect(page.getByText('The preview is incomplete')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Ask the server', exact: true })).toBeDisabled();
  await page.goto(`${origin}${PAGE}?asset=descheduler-loadaware&tab=override`);
  await page.getByRole('checkbox', { name: '/spec/deschedulingIntervalSeconds' }).check();
  await expect(page.getByRole('button', { name: 'Annotate…' })).toBeDisabled();
});

function copyOf(worker: Obj, index: number): Obj {
  return { ...worker, metadata: { ...worker.metadata, name: `extra-${index}`, uid: `extra-${index}` } };
}
