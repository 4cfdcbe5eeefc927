// TypeScript leaves the style behind, which belongs beside the compiled views.
import { copyFile } from 'node:fs/promises';

await copyFile(new URL('../src/ui.css', import.meta.url), new URL('../dist/ui.css', import.meta.url));
