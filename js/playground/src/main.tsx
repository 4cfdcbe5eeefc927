import '@patternfly/react-core/dist/styles/base.css';
import 'virt-autopilot-ui/ui.css';
import './playground.css';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { App } from './App';

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
