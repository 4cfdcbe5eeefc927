// The npm package as an engine of the conformance run: questions on standard input, answers on standard output, both
// JSON, a line each. The folder that has the package in its node_modules is the only argument.

import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

import { read, write } from './json.mjs';
import { operations } from './operations.mjs';

const project = createRequire(`${process.argv[2]}/`);
const { EngineCrashed, EngineError, init } = await import(pathToFileURL(project.resolve('virt-autopilot')));

let engine = await init();

for await (const line of createInterface({ input: process.stdin })) {
  const { op, input } = read(line);
  const operation = operations[op];
  if (operation === undefined) {
    console.log(write({ notYet: true }));
    continue;
  }
  try {
    console.log(write({ answer: operation(engine, input) }));
  } catch (error) {
    if (error instanceof EngineError && !(error instanceof EngineCrashed)) {
      console.log(write({ answer: { error: error.message } }));
    } else {
      console.log(write({ broken: String(error.cause ?? error) }));
      engine = await init();
    }
  }
}
