// Original file: ../../proto/conclave/signer/v1/control.proto

import type { Progress as _conclave_signer_v1_Progress, Progress__Output as _conclave_signer_v1_Progress__Output } from './Progress.gen.ts';
import type { AuxiliaryDone as _conclave_signer_v1_AuxiliaryDone, AuxiliaryDone__Output as _conclave_signer_v1_AuxiliaryDone__Output } from './AuxiliaryDone.gen.ts';
import type { KeyDone as _conclave_signer_v1_KeyDone, KeyDone__Output as _conclave_signer_v1_KeyDone__Output } from './KeyDone.gen.ts';
import type { SignatureDone as _conclave_signer_v1_SignatureDone, SignatureDone__Output as _conclave_signer_v1_SignatureDone__Output } from './SignatureDone.gen.ts';
import type { Refusal as _conclave_signer_v1_Refusal, Refusal__Output as _conclave_signer_v1_Refusal__Output } from './Refusal.gen.ts';
import type { Fault as _conclave_signer_v1_Fault, Fault__Output as _conclave_signer_v1_Fault__Output } from './Fault.gen.ts';
import type { Failure as _conclave_signer_v1_Failure, Failure__Output as _conclave_signer_v1_Failure__Output } from './Failure.gen.ts';
import type { PresignDone as _conclave_signer_v1_PresignDone, PresignDone__Output as _conclave_signer_v1_PresignDone__Output } from './PresignDone.gen.ts';
import type { MessageSignatureDone as _conclave_signer_v1_MessageSignatureDone, MessageSignatureDone__Output as _conclave_signer_v1_MessageSignatureDone__Output } from './MessageSignatureDone.gen.ts';
import type { KeyChangeDone as _conclave_signer_v1_KeyChangeDone, KeyChangeDone__Output as _conclave_signer_v1_KeyChangeDone__Output } from './KeyChangeDone.gen.ts';
import type { ImportRefused as _conclave_signer_v1_ImportRefused, ImportRefused__Output as _conclave_signer_v1_ImportRefused__Output } from './ImportRefused.gen.ts';
import type { ExportDone as _conclave_signer_v1_ExportDone, ExportDone__Output as _conclave_signer_v1_ExportDone__Output } from './ExportDone.gen.ts';

export interface SessionEvent {
  'progress'?: (_conclave_signer_v1_Progress | null);
  'auxiliaryDone'?: (_conclave_signer_v1_AuxiliaryDone | null);
  'keyDone'?: (_conclave_signer_v1_KeyDone | null);
  'signatureDone'?: (_conclave_signer_v1_SignatureDone | null);
  'refusal'?: (_conclave_signer_v1_Refusal | null);
  'fault'?: (_conclave_signer_v1_Fault | null);
  'failure'?: (_conclave_signer_v1_Failure | null);
  'presignDone'?: (_conclave_signer_v1_PresignDone | null);
  'messageSignatureDone'?: (_conclave_signer_v1_MessageSignatureDone | null);
  'keyChangeDone'?: (_conclave_signer_v1_KeyChangeDone | null);
  'importRefused'?: (_conclave_signer_v1_ImportRefused | null);
  'exportDone'?: (_conclave_signer_v1_ExportDone | null);
  'event'?: "progress"|"auxiliaryDone"|"keyDone"|"signatureDone"|"refusal"|"fault"|"failure"|"presignDone"|"messageSignatureDone"|"keyChangeDone"|"importRefused"|"exportDone";
}

export interface SessionEvent__Output {
  'progress'?: (_conclave_signer_v1_Progress__Output | null);
  'auxiliaryDone'?: (_conclave_signer_v1_AuxiliaryDone__Output | null);
  'keyDone'?: (_conclave_signer_v1_KeyDone__Output | null);
  'signatureDone'?: (_conclave_signer_v1_SignatureDone__Output | null);
  'refusal'?: (_conclave_signer_v1_Refusal__Output | null);
  'fault'?: (_conclave_signer_v1_Fault__Output | null);
  'failure'?: (_conclave_signer_v1_Failure__Output | null);
  'presignDone'?: (_conclave_signer_v1_PresignDone__Output | null);
  'messageSignatureDone'?: (_conclave_signer_v1_MessageSignatureDone__Output | null);
  'keyChangeDone'?: (_conclave_signer_v1_KeyChangeDone__Output | null);
  'importRefused'?: (_conclave_signer_v1_ImportRefused__Output | null);
  'exportDone'?: (_conclave_signer_v1_ExportDone__Output | null);
  'event'?: "progress"|"auxiliaryDone"|"keyDone"|"signatureDone"|"refusal"|"fault"|"failure"|"presignDone"|"messageSignatureDone"|"keyChangeDone"|"importRefused"|"exportDone";
}
