/**
 * The style of the API's page beyond its library's: long paths break, phones have one column, errors are
 * shown once.
 */
export const PAGE_STYLE = `.swagger-ui code { overflow-wrap: anywhere; }
/* the document links no operations, and all errors have one form, which 400 shows */
.swagger-ui .response-col_links { display: none; }
.swagger-ui .responses-table:not(.live-responses-table) tr.response:not([data-code^="2"], [data-code="400"]) :is(.response-controls, .model-example) { display: none; }
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
