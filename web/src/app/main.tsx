import './strict';
import '~/ui/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './App';
import { start } from './start';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
start();
createRoot(root).render(<App />);
