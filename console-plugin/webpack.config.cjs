'use strict';

const path = require('node:path');

const { ConsoleRemotePlugin } = require('@openshift-console/dynamic-plugin-sdk-webpack');
const CopyPlugin = require('copy-webpack-plugin');

const isProduction = process.env.NODE_ENV === 'production';
const here = (...parts) => path.resolve(__dirname, ...parts);

/** @type {import('webpack').Configuration} */
module.exports = {
  mode: isProduction ? 'production' : 'development',
  context: here('src'),
  // The entry is the one that ConsoleRemotePlugin makes.
  entry: {},
  output: {
    path: here('dist'),
    clean: true,
    filename: '[name]-bundle.[contenthash].js',
    chunkFilename: '[name]-chunk.[contenthash].js',
    assetModuleFilename: '[name].[contenthash][ext]',
  },
  resolve: {
    extensions: ['.ts', '.tsx', '.js'],
    // The views are linked from the neighbouring workspace. What they import is this package's own, so that there is
    // one copy of each module.
    modules: [here('node_modules'), 'node_modules'],
  },
  module: {
    rules: [
      { test: /\.tsx?$/, exclude: /node_modules/, loader: 'esbuild-loader', options: { target: 'es2022', jsx: 'automatic' } },
      { test: /\.css$/, use: ['style-loader', 'css-loader'] },
      { test: /\.m?js$/, resolve: { fullySpecified: false } },
    ],
  },
  plugins: [
    new ConsoleRemotePlugin(),
    new CopyPlugin({ patterns: [{ from: here('locales'), to: 'locales' }] }),
  ],
  devtool: isProduction ? false : 'source-map',
  performance: { hints: false },
};
