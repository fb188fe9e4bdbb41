import type { Asked, SignerEvent } from "../signer/event.ts";

/** The input of a signer: an event, or a command with who asks and under which session id. */
export type SignerInput = SignerEvent | Asked;

/** The event by which a signer gets its input: a command becomes the event that begins its session. */
export const eventOf = (input: SignerInput): SignerEvent => {
  if (!("expiresAtMs" in input)) return input;
  const { call, session, ...command } = input;
  return { kind: "begin", call, session, command };
};
