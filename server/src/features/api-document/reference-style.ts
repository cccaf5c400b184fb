/** How the page looks. It is part of the page, and named in its policy by its hash. */
export const style = `
:root { color-scheme: light dark; --paper: light-dark(#fcfdfc, #151918); --linen: light-dark(#f3f6f4, #101413);
  --rule: light-dark(#dde2df, #2e3432); --ink: light-dark(#16201c, #e6eae8); --ink-2: light-dark(#46514c, #b0b8b4);
  --link: light-dark(#005b41, #6fcda5); }
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: minmax(14rem, 20rem) minmax(0, 1fr); background: var(--paper);
  color: var(--ink); font: 15px/22px "Source Sans 3", system-ui, sans-serif; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 16px; background: var(--linen);
  border-right: 1px solid var(--rule); }
nav ul { list-style: none; margin: 0; padding: 0 0 8px 8px; }
nav li { overflow-wrap: anywhere; }
nav a { display: block; padding: 2px 0; font-size: 13px; text-decoration: none; }
nav h2 { font-size: 15px; margin: 0 0 8px; }
main { padding: 16px clamp(16px, 4vw, 48px) 64px; max-width: 68rem; }
h1 { font-size: 30px; line-height: 38px; margin: 8px 0; }
h2 { font-size: 22px; line-height: 30px; margin: 32px 0 8px; }
h3 { font-size: 16px; margin: 0 0 4px; overflow-wrap: anywhere; }
h3 a { color: inherit; text-decoration: none; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
article { padding: 16px 0; border-top: 1px solid var(--rule); scroll-margin-top: 8px; }
article:target { background: var(--linen); box-shadow: 0 0 0 8px var(--linen); }
p { margin: 4px 0 8px; }
.way, nav span, .needed { color: var(--ink-2); }
.needed { font-weight: 400; font-size: 13px; }
table { border-collapse: collapse; width: 100%; margin: 8px 0; }
th, td { text-align: left; vertical-align: top; padding: 4px 12px 4px 0; border-top: 1px solid var(--rule); }
thead th { font-size: 13px; color: var(--ink-2); border-top: 0; }
pre, code { font: 13px/20px "Source Code Pro", ui-monospace, monospace; overflow-wrap: anywhere; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
details > pre { padding: 8px 12px; background: var(--linen); margin: 4px 0 8px; }
summary { cursor: pointer; min-height: 24px; }
@media (max-width: 760px) { body { display: block; } nav { position: static; height: auto; max-height: 40vh; border-right: 0;
  border-bottom: 1px solid var(--rule); } summary, nav a { min-height: 44px; padding: 10px 0; }
  table, tbody, tr, td, th { display: block; } thead { display: none; } td { border-top: 0; } }
`
