import type { PartyIndex } from "@conclave/threshold";
import { testParties } from "@conclave/threshold/testing";
import type { CommandKind, CommandOf } from "../control/command.ts";
import { LIFE_BYTES, type Lives } from "../control/lives.ts";
import type { SignerConfig } from "../signer/config.ts";
import type { NamedCall, SignerEvent } from "../signer/event.ts";
import type { ReadRecord } from "../signer/records/history.ts";
import { openSigner } from "../signer/signer.ts";
import type { SignerState, SignerStep } from "../signer/state.ts";

/** A command with its call and session id, and optionally other lives than the signers have. */
export type TestAsked<Kind extends CommandKind = CommandKind> = CommandOf<Kind> &
  Omit<NamedCall, "lives"> &
  Partial<Pick<NamedCall, "lives">>;

/** The input of a signer: an event, or a command with its caller. */
export type SignerInput = SignerEvent | TestAsked;

/** The event for an input: a command becomes the event that begins its session. */
export const eventOf = (input: SignerInput, known: Lives = TEST_LIVES): SignerEvent => {
  if (!("expiresAtMs" in input)) return input;
  const { call, session, lives = known, ...command } = input;
  return { kind: "begin", call, session, lives, command };
};

/** The life of a signer that a test starts without a cluster. */
export const testLife = (signer: PartyIndex): Uint8Array => new Uint8Array(LIFE_BYTES).fill(signer);

/** The first lives of a test's signers. */
export const TEST_LIVES: Lives = new Map(testParties(9).map((party) => [party, testLife(party)]));

/** A signer's own life, and test lives for its peers. */
export const livesIn = ({ config, life }: SignerState): Lives => new Map(TEST_LIVES).set(config.self, life);

/** A signer that a test starts without a cluster, with its test life; otherwise as `openSigner`. */
export const openAlone = (
  config: SignerConfig,
  records: Parameters<typeof openSigner>[1],
  history: ReadRecord,
): SignerStep => openSigner(config, records, history, testLife(config.self));
