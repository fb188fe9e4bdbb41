import type { Asked, SignerEvent } from "../signer/event.ts";

/** The event by which a signer is asked for a session. */
export const begin = (asked: Asked): SignerEvent => {
  const { call, session } = asked;
  return { kind: "begin", call, session, command: asked };
};
