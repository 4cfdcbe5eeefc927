'use strict';

/** Builds the page that stands for the console. */

const path = require('node:path');
const { ModuleFederationPlugin } = require('webpack').container;

const here = (...parts) => path.resolve(__dirname, ...parts);
const versionOf = (name) => require(`${name}/package.json`).version;
const shared = (name) => ({ [name]: { singleton: true, eager: true, version: versionOf(name) } });

/** @type {import('webpack').Configuration} */
module.exports = {
  mode: 'production',
  context: here(),
  entry: './index.tsx',
  output: { path: here('dist'), clean: true, filename: 'host.js', publicPath: '/host/', uniqueName: 'openshift-console' },
  resolve: {
    extensions: ['.tsx', '.ts', '.js'],
    alias: { '@openshift-console/dynamic-plugin-sdk$': here('console-sdk.tsx') },
  },
  module: {
    rules: [
      { test: /\.tsx?$/, loader: 'esbuild-loader', options: { target: 'es2022', jsx: 'automatic' } },
      { test: /\.css$/, use: ['style-loader', { loader: 'css-loader', options: { url: false } }] },
    ],
  },
  plugins: [
    new ModuleFederationPlugin({
      name: 'openshift-console',
      // What the console shares with its plugins, as far as this plugin can meet it. The topology is left out.
      shared: {
        ...shared('react'),
        ...shared('react-router'),
        ...shared('react-i18next'),
        ...shared('react-redux'),
        ...shared('redux'),
        ...shared('redux-thunk'),
        ...shared('@openshift/dynamic-plugin-sdk'),
        '@openshift-console/dynamic-plugin-sdk': { singleton: true, eager: true, version: '4.22.0' },
      },
    }),
  ],
  devtool: false,
  performance: { hints: false },
  stats: 'errors-warnings',
};
