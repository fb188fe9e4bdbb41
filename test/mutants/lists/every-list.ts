import type { EditedFile } from "../edit.ts";
import { ACCUSATION_EDITS } from "./accusations.ts";
import { BLAME_EDITS } from "./blame.ts";
import { BOUND_EDITS } from "./bounds.ts";
import { CERTIFICATE_EDITS } from "./certificates.ts";
import { CHECK_EDITS } from "./checks.ts";
import { DATABASE_CLOCK_EDITS } from "./clocks/database-clocks.ts";
import { LIFE_EDITS } from "./clocks/lives.ts";
import { OLDER_STORE_EDITS } from "./clocks/older-stores.ts";
import { CLOCK_EDITS } from "./clocks/signer-clocks.ts";
import { READING_IN_TURNS_EDITS } from "./deposits/in-turns.ts";
import { DEPOSIT_RECORD_EDITS } from "./deposits/records.ts";
import { DEPOSIT_ROUND_EDITS } from "./deposits/rounds.ts";
import { DEPOSIT_EDITS } from "./deposits.ts";
import { EPOCH_EDITS } from "./epochs.ts";
import { FORMAT_EDITS } from "./formats/formats.ts";
import { LEDGER_CODEC_EDITS } from "./ledgers/codecs.ts";
import { LOG_EDITS } from "./logs/events.ts";
import { MEMORY_EDITS } from "./memory.ts";
import { LOGIN_EDITS } from "./people/logins.ts";
import { RIGHT_EDITS } from "./people/rights.ts";
import { CHAOS_PLAN_EDITS } from "./plans/chaos-plans.ts";
import { PROOF_EDITS } from "./proofs.ts";
import { QUARANTINE_EDITS } from "./quarantine.ts";
import { READING_EDITS } from "./readings.ts";
import { RECALL_EDITS } from "./recalls.ts";
import { REFUSAL_EDITS } from "./refusals.ts";
import { ROSTER_CHANGE_EDITS } from "./rosters/changes.ts";
import { HANDOVER_EDITS } from "./rosters/handovers.ts";
import { HOLDER_EDITS } from "./rosters/holders.ts";
import { ORDER_EDITS } from "./rosters/orders.ts";
import { ASSEMBLED_SIGNER_EDITS } from "./seams/assembled-signers.ts";
import { NODE_SURROUNDING_EDITS } from "./seams/node-surroundings.ts";
import { SIMULATED_FAULT_EDITS } from "./seams/simulated-faults.ts";
import { SIMULATOR_EDITS } from "./seams/simulator.ts";
import { TIME_AND_CHANCE_EDITS } from "./seams/time-and-chance.ts";
import { SESSION_EDITS } from "./sessions.ts";
import { SHARING_EDITS } from "./sharing.ts";
import { SIGNING_EDITS } from "./signing.ts";
import { SIGNING_IN_PARTS_EDITS } from "./signing-in-parts.ts";
import { TURN_EDITS } from "./turns.ts";
import { VAULT_EDITS } from "./vaults/entries.ts";

export const EDITED_FILES: readonly EditedFile[] = [
  ...PROOF_EDITS,
  ...SHARING_EDITS,
  ...SESSION_EDITS,
  ...ASSEMBLED_SIGNER_EDITS,
  ...NODE_SURROUNDING_EDITS,
  ...SIMULATED_FAULT_EDITS,
  ...SIMULATOR_EDITS,
  ...CHECK_EDITS,
  ...SIGNING_EDITS,
  ...ACCUSATION_EDITS,
  ...BLAME_EDITS,
  ...CERTIFICATE_EDITS,
  ...EPOCH_EDITS,
  ...REFUSAL_EDITS,
  ...SIGNING_IN_PARTS_EDITS,
  ...LIFE_EDITS,
  ...OLDER_STORE_EDITS,
  ...CLOCK_EDITS,
  ...DATABASE_CLOCK_EDITS,
  ...MEMORY_EDITS,
  ...LOG_EDITS,
  ...LOGIN_EDITS,
  ...RIGHT_EDITS,
  ...BOUND_EDITS,
  ...TURN_EDITS,
  ...VAULT_EDITS,
  ...QUARANTINE_EDITS,
  ...RECALL_EDITS,
  ...READING_EDITS,
  ...FORMAT_EDITS,
  ...DEPOSIT_EDITS,
  ...DEPOSIT_RECORD_EDITS,
  ...DEPOSIT_ROUND_EDITS,
  ...READING_IN_TURNS_EDITS,
  ...CHAOS_PLAN_EDITS,
  ...ROSTER_CHANGE_EDITS,
  ...HANDOVER_EDITS,
  ...HOLDER_EDITS,
  ...ORDER_EDITS,
  ...LEDGER_CODEC_EDITS,
  ...TIME_AND_CHANCE_EDITS,
];
