import MarkdownIt from "markdown-it";

/** How a heading is named in a link: as GitHub does. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/**
 * Markdown as HTML: tables, code, headings with anchors. HTML in it stays text, and images are not shown: a page loads nothing of
 * another host.
 * @param placeOf where a link of the document leads on these pages; undefined for one that leads nowhere here, which becomes text
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
