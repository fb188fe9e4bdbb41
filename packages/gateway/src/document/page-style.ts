/**
 * The style of the API's page beyond its library's: long paths break, phones have one column, and text has the contrast of
 * WCAG 2.2 AA in both colour schemes.
 */
export const PAGE_STYLE = `.swagger-ui code { overflow-wrap: anywhere; }
#page > p { padding: 2rem; font: 1rem sans-serif; }
.swagger-ui .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.swagger-ui .scheme-container { padding: 1rem 0; }
.swagger-ui .filter-container { display: flex; flex-wrap: wrap; align-items: center; gap: 1rem; padding-top: 1rem; }
.swagger-ui .filter-container label { margin: 0; font-size: 1rem; }
.swagger-ui .filter-container .operation-filter-input { flex: 1; min-width: 12rem; margin: 0; }
.swagger-ui .filter-container p { min-width: 8rem; margin: 0; }
.swagger-ui .opblock .opblock-summary .view-line-link.copy-to-clipboard { flex: none; width: 24px; }
.swagger-ui .examples { display: block; margin: 0; font-size: inherit; font-weight: inherit; }
/* the theme's own colour of "true" and "false", lighter */
.swagger-ui .microlight span[style*="249, 38, 114"] { color: #ff8fb5 !important; }
html:not(.dark-mode) {
  .swagger-ui .info .title :is(small, small pre) { background: #5d6472; }
  .swagger-ui .info .title :is(small.version-stamp, small.version-stamp pre) { background: #4a6b00; }
  .swagger-ui :is(.info, .markdown, .opblock-tag small) a, .swagger-ui .info .url { color: #1f62b5; }
  .swagger-ui :is(.btn.authorize, .btn.authorize span) { color: #14784b; border-color: #14784b; }
  .swagger-ui .btn.authorize svg { fill: #14784b; }
  .swagger-ui .opblock-post .opblock-summary-method { background: #14784b; }
  .swagger-ui .opblock-get .opblock-summary-method { background: #1f62b5; }
  .swagger-ui .opblock-put .opblock-summary-method { background: #8a4f00; }
  .swagger-ui .opblock-delete .opblock-summary-method { background: #c01c1c; }
  .swagger-ui .btn.execute { background: #1f62b5; border-color: #1f62b5; }
  .swagger-ui :is(.btn.cancel, .btn.try-out__btn.cancel, .opblock-section-header small), .swagger-ui .parameter__name.required::after { color: #b31515; }
  .swagger-ui .json-schema-2020-12-expand-deep-button { color: #55595f; }
  .swagger-ui :is(.parameter__in, .parameter__type, .prop-format) { color: #55595f; }
}
html.dark-mode {
  .swagger-ui :is(.filter-container label, .examples, .examples-select__section-label) { color: #e4e6e6; }
  .swagger-ui .opblock .opblock-section-header .try-out__btn.cancel { color: #ff9a9a; }
}
/* the document links no operations */
.swagger-ui .response-col_links { display: none; }
@media (max-width: 640px) {
  .swagger-ui .info { margin: 1.5rem 0; }
  .swagger-ui .info ol { padding-left: 1.5rem; }
  .swagger-ui .opblock-tag { display: block; position: relative; padding-right: 3rem; }
  .swagger-ui .opblock-tag small { display: block; padding: 0.25rem 0 0; }
  .swagger-ui .opblock-tag .expand-operation { position: absolute; right: 0; top: 0.75rem; }
  .swagger-ui .scheme-container .schemes { flex-wrap: wrap; gap: 1rem; }
  .swagger-ui :is(.parameters, .responses-table) :is(thead) { display: none; }
  .swagger-ui :is(.parameters, .responses-table) :is(tbody, tr, td:not(.response-col_links)) { display: block; padding-left: 0; width: auto; }
  .swagger-ui table tbody tr td:first-of-type { min-width: 0; padding-bottom: 0.25rem; }
  .swagger-ui .parameters-col_description input { max-width: 100%; width: 100%; }
  .swagger-ui .examples-select-element { max-width: 100%; }
  .swagger-ui .opblock-section-header { flex-wrap: wrap; gap: 0.5rem; }
}
`;
