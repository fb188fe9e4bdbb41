// Original file: ../../proto/conclave/signer/v2/control.proto

import type { Progress as _conclave_signer_v2_Progress, Progress__Output as _conclave_signer_v2_Progress__Output } from '../../../conclave/signer/v2/Progress.gen.ts';
import type { AuxiliaryDone as _conclave_signer_v2_AuxiliaryDone, AuxiliaryDone__Output as _conclave_signer_v2_AuxiliaryDone__Output } from '../../../conclave/signer/v2/AuxiliaryDone.gen.ts';
import type { KeyDone as _conclave_signer_v2_KeyDone, KeyDone__Output as _conclave_signer_v2_KeyDone__Output } from '../../../conclave/signer/v2/KeyDone.gen.ts';
import type { Signed as _conclave_signer_v2_Signed, Signed__Output as _conclave_signer_v2_Signed__Output } from '../../../conclave/signer/v2/Signed.gen.ts';
import type { Refusal as _conclave_signer_v2_Refusal, Refusal__Output as _conclave_signer_v2_Refusal__Output } from '../../../conclave/signer/v2/Refusal.gen.ts';
import type { Fault as _conclave_signer_v2_Fault, Fault__Output as _conclave_signer_v2_Fault__Output } from '../../../conclave/signer/v2/Fault.gen.ts';
import type { Failure as _conclave_signer_v2_Failure, Failure__Output as _conclave_signer_v2_Failure__Output } from '../../../conclave/signer/v2/Failure.gen.ts';
import type { PresignDone as _conclave_signer_v2_PresignDone, PresignDone__Output as _conclave_signer_v2_PresignDone__Output } from '../../../conclave/signer/v2/PresignDone.gen.ts';
import type { KeyChangeDone as _conclave_signer_v2_KeyChangeDone, KeyChangeDone__Output as _conclave_signer_v2_KeyChangeDone__Output } from '../../../conclave/signer/v2/KeyChangeDone.gen.ts';
import type { ImportRefused as _conclave_signer_v2_ImportRefused, ImportRefused__Output as _conclave_signer_v2_ImportRefused__Output } from '../../../conclave/signer/v2/ImportRefused.gen.ts';
import type { ExportDone as _conclave_signer_v2_ExportDone, ExportDone__Output as _conclave_signer_v2_ExportDone__Output } from '../../../conclave/signer/v2/ExportDone.gen.ts';

export interface Report {
  'progress'?: (_conclave_signer_v2_Progress | null);
  'auxiliaryDone'?: (_conclave_signer_v2_AuxiliaryDone | null);
  'keyDone'?: (_conclave_signer_v2_KeyDone | null);
  'signed'?: (_conclave_signer_v2_Signed | null);
  'refusal'?: (_conclave_signer_v2_Refusal | null);
  'fault'?: (_conclave_signer_v2_Fault | null);
  'failure'?: (_conclave_signer_v2_Failure | null);
  'presignDone'?: (_conclave_signer_v2_PresignDone | null);
  'keyChangeDone'?: (_conclave_signer_v2_KeyChangeDone | null);
  'importRefused'?: (_conclave_signer_v2_ImportRefused | null);
  'exportDone'?: (_conclave_signer_v2_ExportDone | null);
  'report'?: "progress"|"auxiliaryDone"|"keyDone"|"signed"|"refusal"|"fault"|"failure"|"presignDone"|"keyChangeDone"|"importRefused"|"exportDone";
}

export interface Report__Output {
  'progress'?: (_conclave_signer_v2_Progress__Output | null);
  'auxiliaryDone'?: (_conclave_signer_v2_AuxiliaryDone__Output | null);
  'keyDone'?: (_conclave_signer_v2_KeyDone__Output | null);
  'signed'?: (_conclave_signer_v2_Signed__Output | null);
  'refusal'?: (_conclave_signer_v2_Refusal__Output | null);
  'fault'?: (_conclave_signer_v2_Fault__Output | null);
  'failure'?: (_conclave_signer_v2_Failure__Output | null);
  'presignDone'?: (_conclave_signer_v2_PresignDone__Output | null);
  'keyChangeDone'?: (_conclave_signer_v2_KeyChangeDone__Output | null);
  'importRefused'?: (_conclave_signer_v2_ImportRefused__Output | null);
  'exportDone'?: (_conclave_signer_v2_ExportDone__Output | null);
  'report'?: "progress"|"auxiliaryDone"|"keyDone"|"signed"|"refusal"|"fault"|"failure"|"presignDone"|"keyChangeDone"|"importRefused"|"exportDone";
}
