/**
 * A plugin of Swagger UI for the API's page: a search in the words of operations, names for the controls that lack one, and the
 * reader's colour scheme. The page has one server, so the choice of servers is left out.
 */
export const PAGE_PLUGIN = `const scheme = matchMedia("(prefers-color-scheme: dark)");
const useScheme = () => document.documentElement.classList.toggle("dark-mode", scheme.matches);
scheme.addEventListener("change", useScheme);
useScheme();

// "approve" finds approvals, and "policies" a policy
const stemOf = (word) => (word.length < 4 ? word : word.replace(/(ies|ing|als?|ed|es?|s|y)$/, ""));
const stemsOf = (phrase) => phrase.toLowerCase().split(/\\s+/).filter((word) => word !== "").map(stemOf);
const wordsOf = (tag, operation) =>
  [tag, operation.get("method"), operation.get("path")]
    .concat(["operationId", "summary", "description"].map((name) => operation.getIn(["operation", name])))
    .join(" ")
    .toLowerCase();
const matching = (tags, phrase) => {
  const stems = stemsOf(phrase);
  const matches = (tag) => (operation) => stems.every((stem) => wordsOf(tag, operation).includes(stem));
  return tags
    .map((section, tag) => section.update("operations", (operations) => operations.filter(matches(tag))))
    .filter((section) => section.get("operations").size > 0);
};
// true before the first search
const phraseIn = (filter) => (typeof filter === "string" ? filter : "");
const countOf = (tags) => tags.reduce((sum, section) => sum + section.get("operations").size, 0);

// the document refers to nothing outside of it; the library's resolver reads all of it anew for each operation, for seconds
const targetOf = (reference, document) =>
  reference.slice(2).split("/").reduce((holder, name) => holder?.[name], document);
const resolved = (value, document, within = []) => {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((each) => resolved(each, document, within));
  const { $ref: reference, ...beside } = value;
  if (typeof reference !== "string")
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolved(each, document, within)]));
  if (within.includes(reference)) return value;
  return { ...resolved(targetOf(reference, document), document, [...within, reference]), ...beside };
};
const resolveSubtree = async (document, path) => ({
  spec: resolved(path.reduce((holder, name) => holder?.[name], document), document),
  errors: [],
});

const letScroll = (node) => node?.querySelectorAll("pre").forEach((text) => text.setAttribute("tabindex", "0"));

const pagePlugin = ({ React }) => {
  const element = React.createElement;
  const Search = ({ layoutSelectors, layoutActions, specSelectors }) => {
    const phrase = phraseIn(layoutSelectors.currentFilter());
    const count = phrase === "" ? undefined : countOf(specSelectors.taggedOperations());
    return element(
      "div",
      { className: "wrapper filter-container", role: "search" },
      element("label", { htmlFor: "search" }, "Search operations"),
      element("input", {
        id: "search",
        className: "operation-filter-input",
        type: "search",
        placeholder: "approve, transfer, /wallets",
        value: phrase,
        onChange: ({ target }) => layoutActions.updateFilter(target.value),
      }),
      element("p", { role: "status" }, count === undefined ? "" : count === 1 ? "1 operation" : count + " operations"),
    );
  };
  return {
    fn: { opsFilter: matching, resolveSubtree },
    // a search unfolds the sections in which it finds something
    statePlugins: {
      layout: {
        wrapSelectors: {
          // the original has the state already
          isShown: (original) => (state, thing, isShown) =>
            original(thing, isShown || (thing[0] === "operations-tag" && phraseIn(state.get("filter")) !== "")),
        },
      },
    },
    components: {
      FilterContainer: Search,
      ServersContainer: () => null,
      // the original has a link within a button
      OperationSummaryPath: ({ operationProps }) => {
        const path = operationProps.get("path");
        const parts = path.split(/(?=\\/)/).flatMap((part, at) => (at === 0 ? [part] : [element("wbr", { key: at }), part]));
        return element("span", { className: "opblock-summary-path", "data-path": path }, ...parts);
      },
    },
    wrapComponents: {
      Operations: (Original, { specSelectors }) => (props) =>
        specSelectors.taggedOperations().size === 0 ? null : element(Original, props),
      // the page draws all of it again at each press
      Markdown: (Original) => React.memo(Original, (last, next) => last.source === next.source && last.className === next.className),
      ExamplesSelect: (Original) => (props) => element("label", { className: "examples" }, element(Original, props)),
      // long examples scroll, by the keyboard as well
      HighlightCode: (Original) => (props) => element("div", { ref: letScroll }, element(Original, props)),
      // all errors have one form, which 400 shows
      response: (Original) => (props) =>
        element(Original, /^(4(?!00)|5)/.test(props.code) ? { ...props, response: props.response.delete("content") } : props),
      // the words of a button are its name
      Button: (Original) => (props) =>
        element(Original, typeof props.children === "string" ? { ...props, "aria-label": undefined } : props),
      CloseIcon: (Original) => (props) =>
        element("span", {}, element(Original, props), element("span", { className: "unseen" }, "Close the dialog")),
      TextArea: (Original) => (props) => element(Original, { "aria-label": "Body of the request", ...props }),
    },
  };
};
`;
