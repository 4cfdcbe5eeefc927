/** The page under test, which must stay silent: no console error, no violation of the policy, no request after loading. */

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
    if (tab !== undefined) await this.page.locator('.va-detail').getByRole('tab', { name: tab }).click();
  }

  async openSample(name: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Samples' }).click();
    await this.page.locator(`[data-sample="${name}"]`).click();
    await expect(this.page.getByRole('dialog')).toHaveCount(0);
  }

  async inputTab(name: string): Promise<void> {
    await this.page.locator('.pg-input > .pg-tabs').getByRole('tab', { name }).click();
  }

  async resultTab(name: string): Promise<void> {
    await this.page.locator('.pg-result > .pg-tabs').getByRole('tab', { name }).click();
  }

  editor(label: string): Locator {
    return this.page.getByRole('textbox', { name: label, exact: true });
  }

  /** Puts a text in the place of an editor's. */
  async write(label: string, text: string): Promise<void> {
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

  /** No violation that keeps someone from using the page. */
  async checkAccessibility(): Promise<void> {
    const { violations } = await new AxeBuilder({ page: this.page }).analyze();
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
  }
}

export const test = base.extend<{ app: Playground }>({
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
