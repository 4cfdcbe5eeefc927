#!/usr/bin/env node
import { init } from '../node.js';

const USAGE = `Usage: virt-autopilot [--help] [--version]

Says what OpenShift Virtualization's platform autopilot would do to a cluster.`;

const [argument] = process.argv.slice(2);
if (argument === '--version') {
  console.log((await init()).version);
} else if (argument === undefined || argument === '--help') {
  console.log(USAGE);
} else {
  console.error(`virt-autopilot: there is no \`${argument}\` yet; see --help`);
  process.exitCode = 2;
}
