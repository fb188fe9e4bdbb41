import type { ComputeResult } from "../../compute/task.ts";
import type { SignerEffect } from "../effect.ts";
import { burnWhere } from "../presigning/burn.ts";
import { groupOf } from "../presigning/pool.ts";
import { entriesOf } from "../records/persistent-map.ts";
import { AUXILIARY_ID, RECORDS } from "../records/record.ts";
import { sends } from "../session/sends.ts";
import { andThen, endWith, type OpenSession, type SignerState, type SignerStep } from "../state.ts";

type Auxiliary = Extract<ComputeResult, { readonly kind: "auxiliary" }>;

/** Stored before anybody hears of it: what is reported done survives a crash. */
export const keepAuxiliary = (state: SignerState, session: OpenSession, result: Auxiliary): SignerStep => {
  const { epoch, digest, info } = result;
  const record = { version: 1, parameters: state.config.parameters, epoch, digest, info } as const;
  const effects: SignerEffect[] = [
    { kind: "store", record: RECORDS.auxiliary.name(AUXILIARY_ID), value: RECORDS.auxiliary.write(record) },
    { kind: "prepare", auxiliary: info },
    ...sends(session, state.config.self, result.send),
  ];
  const stored: SignerStep = { state: { ...state, auxiliary: record }, effects };
  // who cheated for an old modulus gains nothing from what was made with it; a crash before this burns at the start
  const before = state.auxiliary?.epoch;
  const over = [...entriesOf(state.keys)].flatMap(([keyId, key]) =>
    before === undefined ? [] : [groupOf({ keyId, epoch: key.epoch, auxiliaryEpoch: before })],
  );
  const burnt = andThen(stored, (next) =>
    burnWhere(next, ({ auxiliaryEpoch }) => auxiliaryEpoch !== epoch, over),
  );
  return andThen(burnt, (next) => endWith(next, session, { kind: "auxiliary", epoch, digest }));
};
