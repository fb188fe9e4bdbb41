export * from "./credential-body.ts";
export * from "./identity-change.ts";
export * from "./people-view.ts";
export * from "./recovery-body.ts";
export * from "./room.ts";
export * from "./token-body.ts";
export * from "./user-body.ts";
export * from "./user-group.ts";
