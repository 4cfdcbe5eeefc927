/** A console of its own for each test. */

import { AxeBuilder } from '@axe-core/playwright';
import { type Page, test as base, expect } from '@playwright/test';

import { FakeCluster, demoObjects } from './cluster';
import { ConsoleServer } from './console-server';

export interface Fixtures {
  server: ConsoleServer;
  /** Where the console is. */
  origin: string;
  /** What the page wrote to its console as an error, and what it threw. */
  errors: string[];
}

export const TAB = '/k8s/ns/openshift-cnv/hco.kubevirt.io~v1beta1~HyperConverged/kubevirt-hyperconverged/autopilot-preview';
export const PAGE = '/virt-autopilot';

export const test = base.extend<Fixtures>({
  // eslint-disable-next-line no-empty-pattern -- Playwright wants the pattern
  server: async ({}, use) => {
    const server = new ConsoleServer();
    server.cluster = new FakeCluster(demoObjects());
    await use(server);
  },
  origin: async ({ server }, use) => {
    const origin = await server.start();
    await use(origin);
    await server.stop();
  },
  errors: async ({ page }, use) => {
    const errors: string[] = [];
    // That an object is not there, the browser calls an error.
    page.on('console', (message) => { if (message.type() === 'error' && !message.text().includes('404 (Not Found)')) errors.push(message.text()); });
    page.on('pageerror', (error) => errors.push(String(error)));
    await use(errors);
  },
});

/** Waits until the plan is there and nothing is under way. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByText('Up to date')).toBeVisible();
}

/** A picture to be looked at, of a view that has no grave fault of accessibility. */
export async function shot(page: Page, name: string): Promise<void> {
  await checkAccessibility(page);
  const content = page.locator('.pf-v6-c-page__main-container, .pf-v6-c-page__main').first();
  const height = await content.evaluate((element) => Math.max(...[element, ...element.querySelectorAll('*')].map((part) => part.scrollHeight)));
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 1280, height: Math.min(Math.max(height + 80, 720), 6000) });
  await page.screenshot({ path: `screenshots/${name}.png`, animations: 'disabled' });
}

/** Of the plugin's own part of the page: the frame around it is the test's. */
async function checkAccessibility(page: Page): Promise<void> {
  const axe = new AxeBuilder({ page });
  for (const ours of ['.va-preview', '[role="dialog"]']) if ((await page.locator(ours).count()) > 0) axe.include(ours);
  const { violations } = await axe.analyze();
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
}

export { expect };
