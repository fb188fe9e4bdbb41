export { makeApplication } from "./application.ts";
export type { Dependencies } from "./dependencies.ts";
