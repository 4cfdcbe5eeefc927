#!/usr/bin/env node
console.log('virt-autopilot');
