import { render } from 'preact';
import { App } from './app.tsx';

const place = document.getElementById('app');
if (place === null) throw new Error('The document has no place for the dashboard.');
place.replaceChildren();
render(<App />, place);
