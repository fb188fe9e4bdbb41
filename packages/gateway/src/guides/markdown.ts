import MarkdownIt from "markdown-it";

/** The anchor of a heading, as GitHub names it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/**
 * Renders Markdown as HTML: tables, code, headings with anchors. HTML in it stays text, and images are not shown, so
 * that a page loads nothing from another host.
 * @param placeOf the target of a document's link on these pages; undefined for a link without one, which becomes text
 */
export const renderMarkdown = (text: string, placeOf: (link: string) => string | undefined): string => {
  const markdown = new MarkdownIt({ html: false, linkify: false }).disable("image");
  markdown.core.ruler.push("anchors and links", ({ tokens }) => {
    for (const [at, token] of tokens.entries()) {
      if (token.type === "heading_open") token.attrSet("id", anchorOf(tokens[at + 1]?.content ?? ""));
      const links = (token.children ?? []).filter(
        ({ type }) => type === "link_open" || type === "link_close",
      );
      let isShown = true;
      for (const link of links) {
        if (link.type === "link_open") {
          const place = placeOf(String(link.attrGet("href") ?? ""));
          isShown = place !== undefined;
          if (place !== undefined) link.attrSet("href", place);
        }
        link.hidden = !isShown;
      }
    }
  });
  return markdown.render(text);
};
