import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'test/host/dist/', 'test-results/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked, reactHooks.configs.flat.recommended],
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ['*.config.ts'] }, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Every text comes from the locale files.
      'no-restricted-syntax': [
        'error',
        { selector: 'JSXText[value=/[A-Za-z]{2}/]', message: 'texts belong into locales/en, by way of t()' },
        {
          selector: "JSXAttribute[name.name=/^(title|label|aria-label|placeholder|description|toggleText|titleText)$/] > Literal[value=/[A-Za-z]{2}/]",
          message: 'texts belong into locales/en, by way of t()',
        },
      ],
    },
  },
  // The host page stands for the console, whose texts are not ours.
  { files: ['test/**'], rules: { 'no-restricted-syntax': 'off' } },
  // What fixtures are handed is called `use`, and is no hook.
  { files: ['test/e2e/**'], rules: { 'react-hooks/rules-of-hooks': 'off' } },
  { files: ['**/*.cjs'], languageOptions: { globals: globals.node, sourceType: 'commonjs' }, rules: { '@typescript-eslint/no-require-imports': 'off' } },
  { files: ['**/*.mjs', '**/*.js'], languageOptions: { globals: globals.node } },
);
