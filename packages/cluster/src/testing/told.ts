import type { Asked, SignerEvent } from "../signer/event.ts";

/** The input of a signer: an event, or a command with who asks and under which session id. */
export type Told = SignerEvent | Asked;

/** The event by which a signer gets its input: a command becomes the event that begins its session. */
export const eventOf = (told: Told): SignerEvent => {
  if (!("expiresAtMs" in told)) return told;
  const { call, session, ...command } = told;
  return { kind: "begin", call, session, command };
};
