import { check } from './check.js';

self.postMessage(await check());
