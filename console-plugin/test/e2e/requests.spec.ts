/** What is asked of the API, and what becomes of its refusals. */

import type { Page } from '@playwright/test';

import { type Obj, mergeInto } from './cluster';
import type { ConsoleServer, Recorded } from './console-server';
import { PAGE, expect, settled, shot, test } from './fixtures';

const DESCHEDULER = '/apis/operator.openshift.io/v1/namespaces/openshift-kube-descheduler-operator/kubedeschedulers/cluster';

async function openOverride(page: Page, asset: string): Promise<void> {
  await page.getByRole('button', { name: asset, exact: true }).first().click();
  await page.getByRole('tab', { name: 'Override' }).click();
}

async function openAnnotation(page: Page): Promise<void> {
  await openOverride(page, 'descheduler-loadaware');
  await page.getByRole('checkbox', { name: '/spec/deschedulingIntervalSeconds' }).check();
  await page.getByRole('button', { name: 'Annotate…' }).click();
}

/** Lets patches wait until the answer is called. */
function hold(server: ConsoleServer): () => void {
  let release: (() => void) | undefined;
  server.held = new Promise((resolve) => { release = resolve; });
  return () => { release?.(); };
}

/** Nothing but a confirmed annotation goes without `dryRun=All`, and everything carries the token. */
function expectOnlyDryRuns(mutations: Recorded[], { annotations }: { annotations: number }): void {
  expect(mutations.filter(({ query }) => query.dryRun !== 'All').map(({ contentType }) => contentType)).toEqual(
    Array.from({ length: annotations }, () => 'application/merge-patch+json'),
  );
  for (const { csrf, method } of mutations) {
    expect(csrf).toBe('a-token-of-the-session');
    expect(method).toBe('PATCH');
  }
}

test('a preview changes nothing', async ({ page, server, origin }) => {
  await page.goto(`${origin}${PAGE}`);
  await settled(page);
  expect(server.mutations()).toEqual([]);
  const posts = server.requests.filter(({ method }) => method === 'POST');
  expect(posts.length).toBeGreaterThan(0);
  for (const { path, csrf } of posts) {
    expect(path).toBe('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews');
    expect(csrf).toBe('a-token-of-the-session');
  }
  // Of the CRDs only those that the catalog needs, and no list of machine configs but the labelled ones.
  const reads = server.requests.filter(({ method }) => method === 'GET');
  expect(reads.map(({ path }) => path)).not.toContain('/apis/apiextensions.k8s.io/v1/customresourcedefinitions');
  for (const { query } of reads.filter(({ path }) => path.endsWith('/machineconfigs'))) expect(query.labelSelector).toBeTruthy();
});

test('a dry run of everything', async ({ page, server, origin, errors }) => {
  await page.goto(`${origin}${PAGE}`);
  await settled(page);
  await page.getByRole('button', { name: /^Ask the server about \d+ assets$/ }).click();
  await expect(page.getByText(/\d+ assets asked, \d+ with differences/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Ask the server about \d+ assets$/ })).toBeVisible();
  const mutations = server.mutations();
  expect(mutations.length).toBeGreaterThan(3);
  for (const { query, contentType, body } of mutations) {
    expect(query).toEqual({ dryRun: 'All', fieldManager: 'virt-platform-autopilot', force: 'true' });
    expect(contentType).toBe('application/apply-patch+yaml');
    expect(JSON.parse(body)).toMatchObject({ metadata: { labels: { 'platform.kubevirt.io/managed-by': 'virt-platform-autopilot' } } });
  }
  expectOnlyDryRuns(mutations, { annotations: 0 });
  expect(mutations.map(({ path }) => path).toSorted()).toEqual([
    '/api/v1/namespaces/openshift-cnv/services/virt-platform-autopilot-metrics',
    '/apis/hco.kubevirt.io/v1beta1/namespaces/openshift-cnv/hyperconvergeds/kubevirt-hyperconverged',
    '/apis/machineconfiguration.openshift.io/v1/machineconfigs/90-worker-swap-online',
    '/apis/machineconfiguration.openshift.io/v1/machineconfigs/99-openshift-machineconfig-worker-psi-karg',
    '/apis/monitoring.coreos.com/v1/namespaces/openshift-cnv/prometheusrules/virt-platform-autopilot-alerts',
    '/apis/monitoring.coreos.com/v1/namespaces/openshift-cnv/servicemonitors/virt-platform-autopilot-metrics',
    DESCHEDULER,
  ]);
  expect(errors).toEqual([]);
});

test('a dry run of everything shows how far it is, and can be stopped', async ({ page, server, origin }) => {
  const release = hold(server);
  await page.goto(`${origin}${PAGE}`);
  await settled(page);
  await page.getByRole('button', { name: 'Ask the server about 7 assets' }).click();
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuetext', '0 of 7');
  await page.getByRole('button', { name: 'Stop asking' }).click();
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  release();
  await page.getByRole('button', { name: 'Ask the server about 7 assets' }).click();
  await expect(page.getByText('7 assets asked, 0 with differences')).toBeVisible();
});

for (const theme of ['light', 'dark'] as const) {
  test(`each difference is marked in the list, in ${theme}`, async ({ page, server, origin }) => {
    server.theme = theme;
    server.cluster.onApply = (applied, live) => {
      const body = mergeInto(live ?? {}, applied) as Obj;
      if (applied.kind === 'Service') return { status: 201, body: { ...body, spec: { ...(body.spec as object), clusterIP: '172.30.0.7', type: 'ClusterIP' } } };
      if (applied.kind === 'ServiceMonitor') return { status: 422, body: { kind: 'Status', code: 422, message: 'spec.endpoints: Required value' } };
      return { status: live ? 200 : 201, body };
    };
    server.faults = [{ matches: (method, path) => method === 'PATCH' && path.endsWith('/90-worker-swap-online'), status: 500, message: 'etcdserver: request timed out' }];
    await page.goto(`${origin}${PAGE}`);
    await settled(page);
    await page.getByRole('button', { name: 'Ask the server about 7 assets' }).click();
    await expect(page.getByText('7 assets asked, 2 with differences, 1 not answered')).toBeVisible();
    const table = page.getByRole('grid', { name: 'Server dry run' });
    await expect(table.getByRole('row', { name: /^metrics-service / })).toContainText('2 differences');
    await expect(table.getByRole('row', { name: /^metrics-servicemonitor / })).toContainText('Contradicts the prediction');
    await expect(table.getByRole('row', { name: /^metrics-servicemonitor / })).toContainText('(422: spec.endpoints: Required value)');
    await expect(table.getByRole('row', { name: /^swap-enable / })).toContainText('Not answered');
    await expect(table.getByRole('row', { name: /^psi-enable / })).toContainText('Agrees');
    await shot(page, `dry-run-${theme}`);
    // A prediction that has changed since is not what the server was asked about.
    const live = server.cluster.find('KubeDescheduler', 'cluster');
    if (!live) throw new Error('the demo has no descheduler');
    server.cluster.put({ ...live, metadata: { ...live.metadata, annotations: { 'platform.kubevirt.io/ignore-fields': '/spec/deschedulingIntervalSeconds' } } });
    await expect(table.getByRole('row', { name: /^descheduler-loadaware / })).toContainText('Of an earlier state');
    await table.getByRole('button', { name: 'metrics-service', exact: true }).click();
    await expect(page.getByText('/spec/clusterIP', { exact: true }).first()).toBeVisible();
  });
}

test('what the server makes otherwise is marked, beside the prediction', async ({ page, server, origin }) => {
  server.cluster.onApply = (applied, live) => ({ status: 200, body: { ...live, ...applied, spec: { ...(applied.spec as object), defaulted: 'by a webhook' } } });
  await page.goto(`${origin}${PAGE}?asset=metrics-service&tab=server`);
  await settled(page);
  await page.getByRole('button', { name: 'Ask the server about this asset' }).click();
  await expect(page.getByText('1 difference', { exact: true })).toBeVisible();
  await expect(page.getByText('/spec/defaulted', { exact: true }).first()).toBeVisible();
  await shot(page, 'dry-run-differs-light');
  expect(server.mutations()).toHaveLength(1);
});

for (const [status, words] of [
  [401, 'Your session has ended'],
  [403, 'You lack the permission'],
  [404, 'is not there'],
  [409, 'changed in the meantime'],
  [422, 'The server refuses the object'],
  [500, 'The server failed'],
] as const) {
  test(`a dry run that is answered with ${status} says so, and can be repeated`, async ({ page, server, origin }) => {
    server.faults = [{ matches: (method) => method === 'PATCH', status, message: 'spec.secret: not so', times: 1 }];
    await page.goto(`${origin}${PAGE}?asset=descheduler-loadaware&tab=server`);
    await settled(page);
    const ask = page.getByRole('button', { name: 'Ask the server about this asset' });
    await ask.click();
    await expect(page.getByText(words)).toBeVisible();
    await expect(page.getByText(`(${status}: spec.secret: not so)`)).toBeVisible();
    await ask.click();
    await expect(page.getByText('Accepted')).toBeVisible();
    expectOnlyDryRuns(server.mutations(), { annotations: 0 });
  });

  test(`an annotation that is answered with ${status} is not written, and says so`, async ({ page, server, origin }) => {
    await page.goto(`${origin}${PAGE}`);
    await settled(page);
    await openAnnotation(page);
    await expect(page.getByText('The server would take this change')).toBeVisible();
    server.faults = [{ matches: (method) => method === 'PATCH', status, message: 'not so' }];
    await page.getByRole('button', { name: 'Write the annotation' }).click();
    await expect(page.getByText('The annotation was not written')).toBeVisible();
    await expect(page.getByText(words)).toBeVisible();
    // One looks at it again, and then it works.
    server.faults = [];
    await page.getByRole('button', { name: 'Cancel' }).click();
    expectOnlyDryRuns(server.mutations().filter(({ status: answer }) => answer === 200), { annotations: 0 });
    await page.getByRole('button', { name: 'Annotate…' }).click();
    await page.getByRole('button', { name: 'Write the annotation' }).click();
    await expect(page.getByText('The annotation is written.')).toBeVisible();
  });
}

test('an annotation: the exact change, a confirmation, one request, and the new plan', async ({ page, server, origin, errors }) => {
  await page.goto(`${origin}${PAGE}`);
  await settled(page);
  await openAnnotation(page);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Git should own this annotation')).toBeVisible();
  await expect(dialog.getByText('platform.kubevirt.io/ignore-fields').first()).toBeVisible();
  await expect(dialog.getByRole('region', { name: /^Differences from Now to Then/ })).toContainText('/spec/deschedulingIntervalSeconds');
  await expect(dialog.getByText('The server would take this change')).toBeVisible();
  await shot(page, 'annotate-light');
  expectOnlyDryRuns(server.mutations(), { annotations: 0 });

  await dialog.getByRole('button', { name: 'Write the annotation' }).click();
  await expect(dialog.getByText('The annotation is written.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  const mutations = server.mutations();
  expectOnlyDryRuns(mutations, { annotations: 1 });
  const [written] = mutations.filter(({ query }) => query.dryRun === undefined);
  expect(written).toMatchObject({ path: DESCHEDULER, query: { fieldManager: 'virt-autopilot-console-plugin' } });
  expect(JSON.parse(written?.body ?? '')).toEqual({
    metadata: { resourceVersion: expect.any(String) as unknown, annotations: { 'platform.kubevirt.io/ignore-fields': '/spec/deschedulingIntervalSeconds' } },
  });
  // The watch tells of it, and the plan follows.
  await page.getByRole('button', { name: 'All assets' }).click();
  await expect(page.getByRole('row', { name: /descheduler-loadaware/ })).toContainText('masked');
  expect(errors).toEqual([]);
});

test('cancelling an annotation writes nothing', async ({ page, server, origin }) => {
  await page.goto(`${origin}${PAGE}`);
  await settled(page);
  await openAnnotation(page);
  await expect(page.getByText('The server would take this change')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  expectOnlyDryRuns(server.mutations(), { annotations: 0 });
});

test('someone else’s change meanwhile is a conflict', async ({ page, server, origin }) => {
  await page.goto(`${origin}${PAGE}`);
  await settled(page);
  await openAnnotation(page);
  await expect(page.getByText('The server would take this change')).toBeVisible();
  const live = server.cluster.find('KubeDescheduler', 'cluster');
  if (!live) throw new Error('the demo has no descheduler');
  server.cluster.put({ ...live, spec: { changed: true } });
  await page.getByRole('button', { name: 'Write the annotation' }).click();
  await expect(page.getByText('changed in the meantime')).toBeVisible();
});

test('an edited object becomes a patch', async ({ page, origin }) => {
  await page.goto(`${origin}${PAGE}`);
  await settled(page);
  await openOverride(page, 'descheduler-loadaware');
  await page.getByRole('button', { name: 'Edit the object' }).click();
  const editor = page.getByRole('textbox', { name: 'Code editor' });
  const text = await editor.inputValue();
  await editor.fill(text.replace('deschedulingIntervalSeconds: 60', 'deschedulingIntervalSeconds: 120'));
  await expect(page.getByText('The autopilot would accept this')).toBeVisible();
  await expect(page.getByText('"/spec/deschedulingIntervalSeconds"').first()).toBeVisible();
  await shot(page, 'edit-light');
  await editor.fill('spec: [');
  await expect(page.getByText('This is not an object')).toBeVisible();
});

test('a dropped watch is taken up again', async ({ page, server, origin }) => {
  await page.goto(`${origin}${PAGE}`);
  await settled(page);
  await expect(page.getByRole('row', { name: /descheduler-loadaware/ })).toContainText('Update');
  server.dropWatches();
  const live = server.cluster.find('KubeDescheduler', 'cluster');
  if (!live) throw new Error('the demo has no descheduler');
  server.cluster.put({ ...live, metadata: { ...live.metadata, annotations: { 'platform.kubevirt.io/mode': 'unmanaged' } } });
  await expect(page.getByRole('row', { name: /descheduler-loadaware/ })).toContainText(/unmanaged/i);
});

test('reads that fail are named, and recover', async ({ page, server, origin }) => {
  server.faults = [{ matches: (method, path) => method === 'GET' && path.endsWith('/machineconfigpools'), status: 500, message: 'etcd is away' }];
  await page.goto(`${origin}${PAGE}`);
  await settled(page);
  await expect(page.getByText('The preview is incomplete: something could not be read')).toBeVisible();
  await page.getByRole('button', { name: 'Show what is missing' }).click();
  await expect(page.getByText('500: etcd is away')).toBeVisible();
  await expect(page.getByText('Which nodes would reboot is told by their role labels alone')).toBeVisible();
  server.faults = [];
  await expect(page.getByText('The preview is incomplete')).toBeHidden();
});

test('a right that is taken away meanwhile is named, and recovers', async ({ page, server, origin }) => {
  server.faults = [{ matches: (method, path) => method === 'GET' && path.endsWith('/machineconfigpools'), status: 403, message: 'forbidden' }];
  await page.goto(`${origin}${PAGE}`);
  await settled(page);
  await expect(page.getByText('The preview is incomplete: you may not read something that it needs')).toBeVisible();
  server.faults = [];
  await expect(page.getByText('The preview is incomplete')).toBeHidden();
});

test('what is not there is no failure, and is seen when it comes', async ({ page, server, origin }) => {
  server.faults = [{ matches: (method, path) => method === 'GET' && path.endsWith('/machineconfigpools'), status: 404 }];
  await page.goto(`${origin}${PAGE}`);
  await settled(page);
  await expect(page.getByText('The snapshot has no MachineConfigPool')).toBeVisible();
  await expect(page.getByText('The preview is incomplete')).toBeHidden();
  server.faults = [];
  await expect(page.getByText('The snapshot has no MachineConfigPool')).toBeHidden();
});

test('without access reviews the server itself decides', async ({ page, server, origin }) => {
  server.faults = [{ matches: (_method, path) => path.endsWith('/selfsubjectaccessreviews'), status: 500 }];
  await page.goto(`${origin}${PAGE}`);
  await settled(page);
  await expect(page.getByText('The preview is incomplete')).toBeHidden();
});

test('a session that has ended leaves the plan and names what failed', async ({ page, server, origin }) => {
  await page.goto(`${origin}${PAGE}`);
  await settled(page);
  server.faults = [{ matches: (method) => method === 'GET', status: 401, message: 'Unauthorized' }];
  server.dropWatches();
  await expect(page.locator('html')).toHaveAttribute('data-logged-out', 'true');
  server.faults = [];
  await expect(page.getByText('The preview is incomplete')).toBeHidden();
  await settled(page);
});
