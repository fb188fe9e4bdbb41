import type { ComputeResult } from "../../compute/task.ts";
import type { SignerEffect } from "../effect.ts";
import { put } from "../records/persistent-map.ts";
import { RECORDS } from "../records/record.ts";
import { sends } from "../session/sends.ts";
import { andThen, endWith, type OpenSession, type SignerState, type SignerStep } from "../state.ts";
import { KEY_EPOCH_FIRST } from "./key-epoch.ts";
import { isNewKey } from "./new-key-purpose.ts";

type ResultOf<Kind extends ComputeResult["kind"]> = Extract<ComputeResult, { readonly kind: Kind }>;

/** The share is durable as pending before it is reported, so that an activation can rely on it. */
export const keepKey = (state: SignerState, session: OpenSession, result: ResultOf<"key">): SignerStep => {
  const { purpose } = session;
  if (!isNewKey(purpose)) throw new Error("only key generation makes a key");
  const { scheme } = purpose;
  const { keyId, publicKey, chainCode, share } = result;
  const epoch = KEY_EPOCH_FIRST;
  const origin = purpose.protocol === "key-import" ? ({ imported: true } as const) : {};
  const made = { epoch, publicKey, chainCode, share, ...origin };
  const record = { version: 1, scheme, state: "pending", ...made } as const;
  const effects: SignerEffect[] = [
    { kind: "store", record: RECORDS.key.name(keyId), value: RECORDS.key.write(record) },
    ...sends(session, state.config.self, result.send),
  ];
  return andThen({ state: { ...state, keys: put(state.keys, keyId, record) }, effects }, (stored) =>
    endWith(stored, session, { kind: "key", keyId, publicKey, chainCode }),
  );
};

/** The client's material is no key: the peers are told so as well, and no signer keeps anything of it. */
export const refuseImport = (
  state: SignerState,
  session: OpenSession,
  { refusals, send }: ResultOf<"import-refused">,
): SignerStep =>
  andThen({ state, effects: sends(session, state.config.self, send) }, (sent) =>
    endWith(sent, session, { kind: "import-refused", refusals }),
  );
