/** The style of the guides: the browser's own fonts, light or dark as the reader prefers. */
export const GUIDES_STYLE = `:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 16px/1.55 system-ui, sans-serif; margin: 0; }
nav { border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: 1.25rem; padding: 0.9rem 1.5rem; }
nav a { text-decoration: none; }
nav a[aria-current] { font-weight: 600; text-decoration: underline; }
main { margin: 0 auto; max-width: 60rem; padding: 1rem 1.5rem 4rem; }
h1, h2, h3 { line-height: 1.25; margin: 2rem 0 0.75rem; }
code { background: var(--soft); border-radius: 4px; font: 0.875em ui-monospace, monospace; padding: 0.1em 0.3em; overflow-wrap: break-word; }
pre { background: var(--soft); border-radius: 6px; overflow-x: auto; padding: 0.9rem 1rem; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: 0.4rem 0.7rem; text-align: left; vertical-align: top; }
th { background: var(--soft); }
`;
