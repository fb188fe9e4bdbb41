import { type AuthorisedImport, fail, ok, problem, type Result } from "@conclave/custody";
import { assignPositions, encodeBase64, IMPORT_ENVELOPE_BYTES_MAX } from "@conclave/threshold";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { keyHolders } from "../../control/roster-member.ts";
import { importSignersOf, type SignerConfig } from "../config.ts";
import type { Asked } from "../event.ts";
import { beginNewKey, type NewKey, schemeOf } from "../key-generation/begin-key.ts";
import { authorisedImport } from "../session/authorise.ts";
import { refuse, whyNotBegin } from "../session/begin.ts";
import type { SignerState, SignerStep } from "../state.ts";
import { taking, whyNotTake } from "./taken-envelopes.ts";

type BeginImport = Asked<"key-import">;

/**
 * Begins the import of a key, if this signer's operator allows imports and the authority asks for exactly these
 * encrypted shares, one for every signer of the roster. The signers check the shares together (threshold/import); until
 * all have, none keeps a share. Before this signer opens its envelope, it durably records the key id for which it took it.
 */
export const beginImport = (state: SignerState, event: BeginImport, nowMs: number): SignerStep => {
  const { config } = state;
  const { call, envelope, authorisation } = event;
  const reason = whyNotBegin(state, event, nowMs);
  if (reason !== undefined) return refuse(state, call, reason);
  if (config.keyImport !== "allowed") return refuse(state, call, problem("KeyImportDisabled"));
  const authorised = authorisedImport(config, authorisation, nowMs);
  if (!authorised.ok) return refuse(state, call, authorised.problem);
  const { keyId, threshold, scheme, shares, orgId, dateRequested: date } = authorised.value.value;
  const places = placesOf(config, shares, envelope);
  if (!places.ok) return refuse(state, call, places.problem);
  const used = whyNotTake(state, envelope, keyId);
  if (used !== undefined) return refuse(state, call, used);
  const brought: NewKey = {
    keyId,
    threshold,
    scheme: schemeOf(scheme),
    protocol: "key-import",
    made: { orgId, date },
    // signers that received different shares, or another request for the same key, are in different runs
    agreed: [sha256(authorisation.payload)],
    task: (fields) => ({ kind: "open-import", ...fields, places: places.value, envelope }),
    marking: (before) => taking(before, envelope, keyId),
  };
  return beginNewKey(state, event, brought, nowMs);
};

/**
 * The point at which the client evaluated its polynomial for each party, in ascending order of the parties. Otherwise
 * the reason: these shares are not for this cluster, or the envelope is not the one that the authority named for this
 * signer.
 */
const placesOf = (
  config: SignerConfig,
  shares: AuthorisedImport["shares"],
  envelope: Uint8Array,
): Result<readonly number[]> => {
  const signers = importSignersOf(config);
  if (signers === undefined) return fail("KeyImportUnavailable");
  const assignment = assignPositions(signers);
  const isCluster =
    shares.length === signers.length &&
    signers.every(
      ({ party, signerId }) => shares[(assignment.get(party) ?? 0) - 1]?.signerId === encodeBase64(signerId),
    );
  if (!isCluster) {
    return fail(
      "KeyImportRefused",
      {},
      "The shares are not those of exactly this cluster's signers, in order.",
    );
  }
  const own = shares[(assignment.get(config.self) ?? 0) - 1];
  const isOwn = envelope.length <= IMPORT_ENVELOPE_BYTES_MAX && bytesToHex(sha256(envelope)) === own?.digest;
  if (!isOwn)
    return fail("AuthorisationInvalid", {}, "The encrypted share is not the one that was authorised.");
  return ok(keyHolders(config.roster).map((party) => assignment.get(party) ?? 0));
};
