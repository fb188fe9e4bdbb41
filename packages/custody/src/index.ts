export * from "./authorisation.ts";
export * from "./errors.ts";
export * from "./identifiers.ts";
