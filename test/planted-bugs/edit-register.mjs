import { register } from "node:module";

/** Registers the hook with the edits that stand in the query of this module's URL, before tsx compiles what it loads. */
const edits = JSON.parse(new URL(import.meta.url).searchParams.get("edits") ?? "[]");
register(new URL("./edit-hook.mjs", import.meta.url).href, { data: edits });
