import type { ComputeResult } from "../../compute/task.ts";
import type { SignerEffect } from "../effect.ts";
import { alarmsNow } from "../older-store/key-in-doubt.ts";
import { keepingKey } from "../records/key-records.ts";
import { RECORDS, recallPut } from "../records/record.ts";
import { isSoundShare, UNSOUND } from "../records/sound-share.ts";
import { sends } from "../session/sends.ts";
import { andThen, endWith, type OpenSession, type SignerState, type SignerStep } from "../state.ts";
import { KEY_EPOCH_FIRST } from "./key-epoch.ts";
import { isNewKey } from "./new-key-purpose.ts";

type ResultOf<Kind extends ComputeResult["kind"]> = Extract<ComputeResult, { readonly kind: Kind }>;

/**
 * Stores the share durably as pending before it is reported, so that an activation can rely on it. A share that is not
 * sound is not stored.
 */
export const keepKey = (state: SignerState, session: OpenSession, result: ResultOf<"key">): SignerStep => {
  const { purpose } = session;
  if (!isNewKey(purpose)) throw new Error("only key generation makes a key");
  const { scheme, made: asked } = purpose;
  const { keyId, publicKey, chainCode, share } = result;
  const epoch = KEY_EPOCH_FIRST;
  const origin = purpose.protocol === "key-import" ? ({ imported: true } as const) : {};
  const made = { epoch, publicKey, chainCode, share, made: asked, ...origin, ...alarmsNow(state) };
  const record = { version: 1, scheme, state: "pending", ...made } as const;
  const said = { keyId, epoch, publicKey, chainCode };
  const { state: kept, puts, erases } = keepingKey(state, keyId, record);
  const stored = recallPut(puts, RECORDS.key, keyId);
  if (!isSoundShare(scheme, state.config.self, stored.share, said)) return endWith(state, session, UNSOUND);
  const effects: SignerEffect[] = [
    { kind: "batch", puts, erases, sync: true },
    ...sends(session, state.config.self, result.send),
  ];
  return andThen({ state: kept, effects }, (next) =>
    endWith(next, session, { kind: "key", keyId, publicKey, chainCode }),
  );
};

/**
 * Refuses the client's shares, which make up no valid key: the peers receive the verdict as well, and no signer keeps a
 * share.
 */
export const refuseImport = (
  state: SignerState,
  session: OpenSession,
  { refusals, send }: ResultOf<"import-refused">,
): SignerStep =>
  andThen({ state, effects: sends(session, state.config.self, send) }, (sent) =>
    endWith(sent, session, { kind: "import-refused", refusals }),
  );
