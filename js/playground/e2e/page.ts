/** The page under test, which must stay silent: no console error, no violation of the policy, no request after loading. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { type Locator, type Page, test as base, expect } from '@playwright/test';
import AxeBuilder from '@axe-core/playwright';

export { expect } from '@playwright/test';

export class Playground {
  readonly page: Page;
  /** What was complained about. */
  readonly complaints: string[] = [];
  /** Addresses that were asked for after the page was ready. */
  readonly requests: string[] = [];
  #ready = false;

  constructor(page: Page) {
    this.page = page;
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.complaints.push(message.text());
    });
    page.on('requestfailed', (request) => this.complaints.push(`not loaded: ${request.url()}`));
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('request', (request) => { if (this.#ready && !/^(blob|data):/.test(request.url())) this.requests.push(request.url()); });
  }

  /** Opens the page, waits for the first plan and for everything to be loaded, and takes the network away. */
  async open(fragment = ''): Promise<void> {
    this.#ready = false;
    await this.page.context().setOffline(false);
    await this.page.goto(`./${fragment}`);
    await expect(this.summary).toBeVisible({ timeout: 30_000 });
    await this.page.waitForLoadState('networkidle');
    await this.page.context().setOffline(true);
    this.#ready = true;
  }

  get summary(): Locator {
    return this.page.getByRole('heading', { name: 'What the autopilot would do' });
  }

  get result(): Locator {
    return this.page.getByRole('region', { name: 'Result' });
  }

  row(asset: string): Locator {
    return this.page.locator('tr', { has: this.page.locator(`[data-asset="${asset}"]`) });
  }

  async openAsset(asset: string, tab?: string): Promise<void> {
    await this.page.locator(`[data-asset="${asset}"]`).click();
    if (tab !== undefined) await this.detailTab(tab);
  }

  async detailTab(name: string): Promise<void> {
    await this.page.locator('.va-detail').getByRole('tab', { name }).click();
  }

  async openSample(name: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Samples' }).click();
    await this.page.locator(`[data-sample="${name}"]`).click();
    await expect(this.page.getByRole('dialog')).toHaveCount(0);
  }

  async inputTab(name: string): Promise<void> {
    await this.inputPane();
    await this.page.locator('.pg-input > .pg-tabs').getByRole('tab', { name }).click();
  }

  async resultTab(name: string): Promise<void> {
    await this.resultPane();
    await this.page.locator('.pg-result > .pg-tabs').getByRole('tab', { name }).click();
  }

  inputPane(): Promise<void> {
    return this.#pane('Input');
  }

  resultPane(): Promise<void> {
    return this.#pane('Result');
  }

  /** A narrow page shows one pane at a time. */
  async #pane(name: string): Promise<void> {
    const choice = this.page.locator('.pg-switch').getByRole('button', { name, exact: true });
    if (await choice.isVisible()) await choice.click();
  }

  editor(label: string): Locator {
    return this.page.getByRole('textbox', { name: label, exact: true });
  }

  /** Puts a text in the place of an editor's. */
  async write(label: string, text: string): Promise<void> {
    if (!(await this.editor(label).isVisible())) await this.inputPane();
    await this.editor(label).click();
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.insertText(text);
  }

  /** Drops files and folders of the disk, as a file manager does. */
  async drop(on: Locator, paths: string[]): Promise<void> {
    const box = await on.boundingBox();
    if (box === null) throw new Error('there is nothing to drop on');
    const session = await this.page.context().newCDPSession(this.page);
    const data = { items: [], files: paths, dragOperationsMask: 1 };
    const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height, 200) / 2];
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) await session.send('Input.dispatchDragEvent', { type, x, y, data });
    await session.detach();
  }

  clipboard(): Promise<string> {
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** Waits until nothing moves any more. */
  async settle(): Promise<void> {
    await this.page.evaluate(async () => {
      const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
      await Promise.allSettled(ending.map(({ finished }) => finished));
      await new Promise((resolve) => { requestAnimationFrame(() => { requestAnimationFrame(resolve); }); });
    });
  }

  /** What keeps someone from using the page, or the part of it: by its colours, by anything else, or at all. */
  async graveViolations(which: 'all' | 'colours' | 'others', part = 'html'): Promise<string[]> {
    const axe = new AxeBuilder({ page: this.page }).options({ resultTypes: ['violations'], preload: false }).include(part);
    if (which === 'colours') axe.withRules('color-contrast');
    if (which === 'others') axe.disableRules('color-contrast');
    const { violations } = await axe.analyze();
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    return grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  }

  /** What is wider than the page, and the texts that are cut off. */
  misfits(): Promise<string[]> {
    return this.page.evaluate(() => {
      const wide = [document.documentElement, ...document.querySelectorAll('.pg-pane')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ tagName, className, scrollWidth, clientWidth }) => `${tagName} ${className} is ${scrollWidth - clientWidth} px too wide`);
      const cut = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) => {
        const hides = ['hidden', 'clip'].includes(getComputedStyle(element).overflowX) && !element.matches('.va-hidden, input, textarea, svg *');
        const says = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
        return hides && says && element.clientWidth > 1 && element.scrollWidth > element.clientWidth;
      });
      return [...wide, ...cut.map((element) => `cut off: ${element.textContent}`)];
    });
  }
}

export const test = base.extend<{ app: Playground }, { address: string }>({
  /** The built folder, served on a free port, and below a path, for it has to work under any. */
  address: [
    // Playwright wants a pattern even where no fixture is needed.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const server = spawn(process.execPath, ['scripts/serve.mjs', 'dist', '0', '/some/path/'], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [line] = (await once(server.stdout, 'data')) as [Buffer];
      await use(/http:\S+/.exec(line.toString())?.[0] ?? '');
      server.kill();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ address }, use) => {
    await use(address);
  },
  app: async ({ page }, use) => {
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber, columnNumber, sample }) => {
        console.error(`the policy was violated: ${violatedDirective} ${blockedURI} ${sourceFile}:${lineNumber}:${columnNumber} ${sample}`);
      });
    });
    const app = new Playground(page);
    await use(app);
    expect(app.complaints).toEqual([]);
    expect(app.requests).toEqual([]);
  },
});
