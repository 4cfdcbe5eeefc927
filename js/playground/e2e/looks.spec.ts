/**
 * Every view in light and dark, narrow and wide: usable by everyone, nothing wider than the page, no text cut off.
 * With SCREENSHOTS set, a picture of each is left in `screenshots/`, and more widths are looked at.
 */

import { writeFile } from 'node:fs/promises';

import { type Playground, expect, test } from './page';

const PICTURES = process.env['SCREENSHOTS'] !== undefined;
const WIDTHS = { light: PICTURES ? [360, 1024, 1440] : [360, 1440], dark: PICTURES ? [360, 1440] : [1440] };

const DESCHEDULER = 'descheduler-loadaware';
const BROKEN = `apiVersion: operator.openshift.io/v1
kind: KubeDescheduler
metadata:
  name: cluster
  namespace: openshift-kube-descheduler-operator
  annotations:
    platform.kubevirt.io/patch: |
      [
        {"op": "replace", "path": "/spec/mode", "value": "Predictive"},
        {"op": "replace", "path": "/spec/mode" "value": "Automatic"}
      ]
`;
const IN_GIT = `apiVersion: operator.openshift.io/v1
kind: KubeDescheduler
metadata:
  name: cluster
  namespace: openshift-kube-descheduler-operator
spec:
  deschedulingIntervalSeconds: 3600
`;

/** Views of which only the result is new; `plan` and others are looked at as a whole. */
const RESULTS = /^(plan-|findings|events|asset-|override-|simulation-)/;

interface Visit {
  app: Playground;
  page: Playground['page'];
  look: (name: string) => Promise<void>;
  fileOf: (name: string, content: string | Buffer) => Promise<string>;
}

/** Views that one comes to one after the other. */
const VISITS: Record<string, (visit: Visit) => Promise<void>> = {
  async plan({ app, page, look }) {
    await look('plan');
    await page.getByRole('button', { name: 'Show pools and causes' }).click();
    await look('plan-pools');
    await page.getByRole('button', { name: 'Kind', exact: true }).click();
    await look('plan-filter');
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Find an asset' }).fill('nothing like it');
    await look('plan-none');
    await app.resultTab('Findings');
    await look('findings');
    await app.resultTab('Events and metrics');
    await look('events');
  },
  async asset({ app, page, look }) {
    await app.openSample('gitops-owns-fields');
    await app.openAsset(DESCHEDULER);
    for (const layout of ['Unified', 'Split']) {
      await page.getByRole('button', { name: layout, exact: true }).first().click();
      await look(`asset-changes-${layout.toLowerCase()}`);
    }
    for (const tab of ['Why', 'Steps', 'Ownership', 'Object', 'Events']) {
      await app.detailTab(tab);
      await look(`asset-${tab.toLowerCase()}`);
    }
    await page.getByRole('button', { name: 'All assets' }).click();
    await app.openAsset('swap-enable');
    await expect(page.locator('.va-payload').first()).toBeVisible();
    await look('asset-payload');
    await page.getByRole('button', { name: 'All assets' }).click();
    await app.openAsset('kubelet-perf-settings');
    await look('asset-changes-none');
    await app.detailTab('Why');
    await look('asset-why-conditions');
    await app.detailTab('Steps');
    await look('asset-steps-none');
    await app.detailTab('Override');
    await look('override-none');
  },
  async override({ app, page, look }) {
    await app.openSample('gitops-owns-fields');
    await app.openAsset(DESCHEDULER, 'Override');
    const label = 'The object as it should be';
    await expect(app.editor(label)).toContainText('deschedulingIntervalSeconds: 60');
    await look('override-edit');
    const text = (await app.editor(label).locator('.cm-line').allTextContents()).join('\n');
    await app.write(label, text.replace('Seconds: 60', 'Seconds: 240').replace('Automatic', 'Predictive'));
    await expect(page.getByText('The autopilot would accept this')).toBeVisible();
    await look('override-accepted');
    await app.write(label, text.replace('Seconds: 60', 'Seconds: many'));
    await expect(page.getByText('The autopilot would not accept this')).toBeVisible();
    await look('override-refused');
    await page.getByRole('button', { name: 'Leave fields alone' }).click();
    await page.getByRole('checkbox', { name: '/spec/deschedulingIntervalSeconds' }).check();
    await expect(page.getByText('The autopilot would accept this')).toBeVisible();
    await look('override-mask');
    for (const [way, outcome] of [['Do not manage it', 'Unmanaged'], ['Exclude it', 'Excluded']] as const) {
      await page.getByRole('button', { name: way }).click();
      await expect(page.getByText(`Outcome: ${outcome}`)).toBeVisible();
      await look(`override-${outcome.toLowerCase()}`);
    }
  },
  async simulation({ app, page, look }) {
    await app.openSample('gitops-owns-fields');
    await app.resultTab('Simulation');
    await page.getByLabel('Object', { exact: true }).selectOption(DESCHEDULER);
    await expect(page.locator('.va-chart__pause')).toBeVisible();
    await look('simulation-pause');
    await page.getByRole('button', { name: 'What the opponent wants' }).click();
    await expect(app.editor('What the opponent wants')).toContainText('deschedulingIntervalSeconds');
    await look('simulation-opponent');
    await page.getByLabel('Acts every').selectOption('10000');
    await expect(page.getByText('Never paused.').first()).toBeVisible();
    await page.getByRole('button', { name: 'All entries' }).click();
    await look('simulation-entries');
  },
  async input({ app, page, look, fileOf }) {
    await app.inputTab('HyperConverged');
    await look('input-hyperconverged');
    await app.inputTab('Cluster objects');
    await look('input-cluster');
    await app.drop(page.locator('.pg-drop').last(), [await fileOf('git.yaml', IN_GIT), await fileOf('pod.log', 'noise')]);
    await expect(page.getByText('1 file was read.')).toBeVisible();
    await look('input-dropped');
    await app.inputTab('Git manifests');
    await look('input-git-none');
    await page.getByRole('button', { name: 'New file' }).click();
    await app.write('pasted.yaml', IN_GIT);
    await look('input-git');
    await app.inputTab('Overrides');
    await look('input-overrides-none');
    await app.write('Overrides', BROKEN);
    await expect(page.locator('.cm-gutter-lint .cm-lint-marker-error')).toHaveCount(1);
    await look('input-overrides-broken');
    await app.resultTab('Findings');
    await expect(page.getByRole('button', { name: 'Show in the input' }).first()).toBeVisible();
    await look('findings-many');
  },
  async dialogs({ app, page, look }) {
    await page.getByRole('button', { name: 'Samples' }).click();
    await look('samples');
    await page.getByRole('textbox', { name: 'Find a sample' }).fill('nothing like it');
    await look('samples-none');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Share' }).click();
    await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible();
    await look('share');
    await page.keyboard.press('Escape');
    for (const menu of ['Download', 'Theme']) {
      await page.getByRole('button', { name: menu }).click();
      await look(menu.toLowerCase());
      await page.keyboard.press('Escape');
    }
    await app.inputTab('HyperConverged');
    await page.getByRole('button', { name: 'Open a release folder or bundle' }).click();
    await look('catalog');
  },
  async states({ app, page, look, fileOf }) {
    await app.write('HyperConverged', 'spec: {a: [\n');
    await app.resultPane();
    await expect(page.getByText(/error in the input/)).toBeVisible();
    await look('state-broken-input');
    await app.inputTab('Cluster objects');
    await app.drop(page.locator('.pg-drop').last(), [await fileOf('broken.zip', 'no archive')]);
    await expect(page.getByText(/The files cannot be read/)).toBeVisible();
    await look('state-damaged');
    await app.drop(page.locator('.pg-drop').last(), [await fileOf('huge.yaml', Buffer.alloc(65_000_000, '#'))]);
    await expect(page.getByRole('heading', { name: 'The input is too large' })).toBeVisible();
    await look('state-too-large');
    await page.getByRole('button', { name: /^Remove / }).first().click();
    await expect(page.getByText('No files yet')).toBeVisible();
    await look('input-cluster-none');
    await app.inputTab('HyperConverged');
    await app.write('HyperConverged', '');
    await app.resultPane();
    await expect(page.getByRole('heading', { name: 'Begin with a cluster' })).toBeVisible();
    await look('state-empty');
    await page.getByRole('button', { name: 'Open the demo cluster' }).click();
    await app.inputPane();
    await app.drop(page.getByLabel('Catalog', { exact: true }), [await fileOf('bundle.json', '{}')]);
    await app.resultPane();
    await expect(page.getByText(/cannot be planned/)).toBeVisible();
    await look('state-failed');
  },
};

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of WIDTHS[colorScheme]) {
    test.describe(`${colorScheme}, ${width} px`, () => {
      test.use({ colorScheme, viewport: { width, height: width < 1000 ? 740 : 900 } });

      // A narrow page has the colours of a wide one, and a dark page differs from a light one in nothing else.
      const rules = PICTURES || (width > 1000 && colorScheme === 'light') ? 'all' : colorScheme === 'dark' ? 'colours' : 'others';

      for (const [name, visit] of Object.entries(VISITS)) {
        test(name, async ({ app, page }, info) => {
          await app.open();
          await expect(page.locator('html')).toHaveClass(colorScheme === 'dark' ? /pf-v6-theme-dark/ : /^(?!.*dark)/);
          await visit({
            app,
            page,
            look: async (view) => {
              await app.settle();
              if (PICTURES) await page.screenshot({ path: `screenshots/${view}-${width}-${colorScheme}.png`, fullPage: width < 1100 && !(await page.getByRole('dialog').isVisible()) });
              await test.step(view, async () => {
                expect.soft(await app.graveViolations(rules, RESULTS.test(view) ? '#result' : 'html'), view).toEqual([]);
                expect.soft(await app.misfits(), view).toEqual([]);
              });
            },
            fileOf: async (file, content) => {
              const path = info.outputPath(file);
              await writeFile(path, content);
              return path;
            },
          });
        });
      }
    });
  }
}

test('the theme is chosen, and remembered', async ({ app, page }) => {
  await app.open();
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('menuitem', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveClass(/pf-v6-theme-dark/);
  await app.open();
  await expect(page.locator('html')).toHaveClass(/pf-v6-theme-dark/);
});
