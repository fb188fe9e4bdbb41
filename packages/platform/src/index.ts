export * from "./certificates/index.ts";
