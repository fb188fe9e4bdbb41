import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { Authorisation as _conclave_signer_v1_Authorisation, Authorisation__Output as _conclave_signer_v1_Authorisation__Output } from './conclave/signer/v1/Authorisation.gen.ts';
import type { AuxiliaryDone as _conclave_signer_v1_AuxiliaryDone, AuxiliaryDone__Output as _conclave_signer_v1_AuxiliaryDone__Output } from './conclave/signer/v1/AuxiliaryDone.gen.ts';
import type { ControlClient as _conclave_signer_v1_ControlClient, ControlDefinition as _conclave_signer_v1_ControlDefinition } from './conclave/signer/v1/Control.gen.ts';
import type { DiscardReply as _conclave_signer_v1_DiscardReply, DiscardReply__Output as _conclave_signer_v1_DiscardReply__Output } from './conclave/signer/v1/DiscardReply.gen.ts';
import type { ExportDone as _conclave_signer_v1_ExportDone, ExportDone__Output as _conclave_signer_v1_ExportDone__Output } from './conclave/signer/v1/ExportDone.gen.ts';
import type { ExportKeyRequest as _conclave_signer_v1_ExportKeyRequest, ExportKeyRequest__Output as _conclave_signer_v1_ExportKeyRequest__Output } from './conclave/signer/v1/ExportKeyRequest.gen.ts';
import type { Failure as _conclave_signer_v1_Failure, Failure__Output as _conclave_signer_v1_Failure__Output } from './conclave/signer/v1/Failure.gen.ts';
import type { Fault as _conclave_signer_v1_Fault, Fault__Output as _conclave_signer_v1_Fault__Output } from './conclave/signer/v1/Fault.gen.ts';
import type { GenerateAuxiliaryRequest as _conclave_signer_v1_GenerateAuxiliaryRequest, GenerateAuxiliaryRequest__Output as _conclave_signer_v1_GenerateAuxiliaryRequest__Output } from './conclave/signer/v1/GenerateAuxiliaryRequest.gen.ts';
import type { GenerateKeyRequest as _conclave_signer_v1_GenerateKeyRequest, GenerateKeyRequest__Output as _conclave_signer_v1_GenerateKeyRequest__Output } from './conclave/signer/v1/GenerateKeyRequest.gen.ts';
import type { ImportKeyRequest as _conclave_signer_v1_ImportKeyRequest, ImportKeyRequest__Output as _conclave_signer_v1_ImportKeyRequest__Output } from './conclave/signer/v1/ImportKeyRequest.gen.ts';
import type { ImportRefused as _conclave_signer_v1_ImportRefused, ImportRefused__Output as _conclave_signer_v1_ImportRefused__Output } from './conclave/signer/v1/ImportRefused.gen.ts';
import type { KeyAttestation as _conclave_signer_v1_KeyAttestation, KeyAttestation__Output as _conclave_signer_v1_KeyAttestation__Output } from './conclave/signer/v1/KeyAttestation.gen.ts';
import type { KeyChangeDone as _conclave_signer_v1_KeyChangeDone, KeyChangeDone__Output as _conclave_signer_v1_KeyChangeDone__Output } from './conclave/signer/v1/KeyChangeDone.gen.ts';
import type { KeyDone as _conclave_signer_v1_KeyDone, KeyDone__Output as _conclave_signer_v1_KeyDone__Output } from './conclave/signer/v1/KeyDone.gen.ts';
import type { KeyInfo as _conclave_signer_v1_KeyInfo, KeyInfo__Output as _conclave_signer_v1_KeyInfo__Output } from './conclave/signer/v1/KeyInfo.gen.ts';
import type { KeyReply as _conclave_signer_v1_KeyReply, KeyReply__Output as _conclave_signer_v1_KeyReply__Output } from './conclave/signer/v1/KeyReply.gen.ts';
import type { KeyRequest as _conclave_signer_v1_KeyRequest, KeyRequest__Output as _conclave_signer_v1_KeyRequest__Output } from './conclave/signer/v1/KeyRequest.gen.ts';
import type { KeyState as _conclave_signer_v1_KeyState, KeyState__Output as _conclave_signer_v1_KeyState__Output } from './conclave/signer/v1/KeyState.gen.ts';
import type { ListReply as _conclave_signer_v1_ListReply, ListReply__Output as _conclave_signer_v1_ListReply__Output } from './conclave/signer/v1/ListReply.gen.ts';
import type { ListRequest as _conclave_signer_v1_ListRequest, ListRequest__Output as _conclave_signer_v1_ListRequest__Output } from './conclave/signer/v1/ListRequest.gen.ts';
import type { MessageSignRequest as _conclave_signer_v1_MessageSignRequest, MessageSignRequest__Output as _conclave_signer_v1_MessageSignRequest__Output } from './conclave/signer/v1/MessageSignRequest.gen.ts';
import type { MessageSignatureDone as _conclave_signer_v1_MessageSignatureDone, MessageSignatureDone__Output as _conclave_signer_v1_MessageSignatureDone__Output } from './conclave/signer/v1/MessageSignatureDone.gen.ts';
import type { NextShare as _conclave_signer_v1_NextShare, NextShare__Output as _conclave_signer_v1_NextShare__Output } from './conclave/signer/v1/NextShare.gen.ts';
import type { PoolState as _conclave_signer_v1_PoolState, PoolState__Output as _conclave_signer_v1_PoolState__Output } from './conclave/signer/v1/PoolState.gen.ts';
import type { PresignDone as _conclave_signer_v1_PresignDone, PresignDone__Output as _conclave_signer_v1_PresignDone__Output } from './conclave/signer/v1/PresignDone.gen.ts';
import type { PresignRequest as _conclave_signer_v1_PresignRequest, PresignRequest__Output as _conclave_signer_v1_PresignRequest__Output } from './conclave/signer/v1/PresignRequest.gen.ts';
import type { PresignatureEntry as _conclave_signer_v1_PresignatureEntry, PresignatureEntry__Output as _conclave_signer_v1_PresignatureEntry__Output } from './conclave/signer/v1/PresignatureEntry.gen.ts';
import type { PresignatureIds as _conclave_signer_v1_PresignatureIds, PresignatureIds__Output as _conclave_signer_v1_PresignatureIds__Output } from './conclave/signer/v1/PresignatureIds.gen.ts';
import type { Progress as _conclave_signer_v1_Progress, Progress__Output as _conclave_signer_v1_Progress__Output } from './conclave/signer/v1/Progress.gen.ts';
import type { RefreshKeyRequest as _conclave_signer_v1_RefreshKeyRequest, RefreshKeyRequest__Output as _conclave_signer_v1_RefreshKeyRequest__Output } from './conclave/signer/v1/RefreshKeyRequest.gen.ts';
import type { Refusal as _conclave_signer_v1_Refusal, Refusal__Output as _conclave_signer_v1_Refusal__Output } from './conclave/signer/v1/Refusal.gen.ts';
import type { ReshareKeyRequest as _conclave_signer_v1_ReshareKeyRequest, ReshareKeyRequest__Output as _conclave_signer_v1_ReshareKeyRequest__Output } from './conclave/signer/v1/ReshareKeyRequest.gen.ts';
import type { SessionEvent as _conclave_signer_v1_SessionEvent, SessionEvent__Output as _conclave_signer_v1_SessionEvent__Output } from './conclave/signer/v1/SessionEvent.gen.ts';
import type { SessionState as _conclave_signer_v1_SessionState, SessionState__Output as _conclave_signer_v1_SessionState__Output } from './conclave/signer/v1/SessionState.gen.ts';
import type { SignRequest as _conclave_signer_v1_SignRequest, SignRequest__Output as _conclave_signer_v1_SignRequest__Output } from './conclave/signer/v1/SignRequest.gen.ts';
import type { SignatureDone as _conclave_signer_v1_SignatureDone, SignatureDone__Output as _conclave_signer_v1_SignatureDone__Output } from './conclave/signer/v1/SignatureDone.gen.ts';
import type { StatusReply as _conclave_signer_v1_StatusReply, StatusReply__Output as _conclave_signer_v1_StatusReply__Output } from './conclave/signer/v1/StatusReply.gen.ts';
import type { StatusRequest as _conclave_signer_v1_StatusRequest, StatusRequest__Output as _conclave_signer_v1_StatusRequest__Output } from './conclave/signer/v1/StatusRequest.gen.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  conclave: {
    signer: {
      v1: {
        Authorisation: MessageTypeDefinition<_conclave_signer_v1_Authorisation, _conclave_signer_v1_Authorisation__Output>
        AuxiliaryDone: MessageTypeDefinition<_conclave_signer_v1_AuxiliaryDone, _conclave_signer_v1_AuxiliaryDone__Output>
        Control: SubtypeConstructor<typeof grpc.Client, _conclave_signer_v1_ControlClient> & { service: _conclave_signer_v1_ControlDefinition }
        DiscardReply: MessageTypeDefinition<_conclave_signer_v1_DiscardReply, _conclave_signer_v1_DiscardReply__Output>
        ExportDone: MessageTypeDefinition<_conclave_signer_v1_ExportDone, _conclave_signer_v1_ExportDone__Output>
        ExportKeyRequest: MessageTypeDefinition<_conclave_signer_v1_ExportKeyRequest, _conclave_signer_v1_ExportKeyRequest__Output>
        Failure: MessageTypeDefinition<_conclave_signer_v1_Failure, _conclave_signer_v1_Failure__Output>
        Fault: MessageTypeDefinition<_conclave_signer_v1_Fault, _conclave_signer_v1_Fault__Output>
        GenerateAuxiliaryRequest: MessageTypeDefinition<_conclave_signer_v1_GenerateAuxiliaryRequest, _conclave_signer_v1_GenerateAuxiliaryRequest__Output>
        GenerateKeyRequest: MessageTypeDefinition<_conclave_signer_v1_GenerateKeyRequest, _conclave_signer_v1_GenerateKeyRequest__Output>
        ImportKeyRequest: MessageTypeDefinition<_conclave_signer_v1_ImportKeyRequest, _conclave_signer_v1_ImportKeyRequest__Output>
        ImportRefused: MessageTypeDefinition<_conclave_signer_v1_ImportRefused, _conclave_signer_v1_ImportRefused__Output>
        KeyAttestation: MessageTypeDefinition<_conclave_signer_v1_KeyAttestation, _conclave_signer_v1_KeyAttestation__Output>
        KeyChangeDone: MessageTypeDefinition<_conclave_signer_v1_KeyChangeDone, _conclave_signer_v1_KeyChangeDone__Output>
        KeyDone: MessageTypeDefinition<_conclave_signer_v1_KeyDone, _conclave_signer_v1_KeyDone__Output>
        KeyInfo: MessageTypeDefinition<_conclave_signer_v1_KeyInfo, _conclave_signer_v1_KeyInfo__Output>
        KeyReply: MessageTypeDefinition<_conclave_signer_v1_KeyReply, _conclave_signer_v1_KeyReply__Output>
        KeyRequest: MessageTypeDefinition<_conclave_signer_v1_KeyRequest, _conclave_signer_v1_KeyRequest__Output>
        KeyState: MessageTypeDefinition<_conclave_signer_v1_KeyState, _conclave_signer_v1_KeyState__Output>
        ListReply: MessageTypeDefinition<_conclave_signer_v1_ListReply, _conclave_signer_v1_ListReply__Output>
        ListRequest: MessageTypeDefinition<_conclave_signer_v1_ListRequest, _conclave_signer_v1_ListRequest__Output>
        MessageSignRequest: MessageTypeDefinition<_conclave_signer_v1_MessageSignRequest, _conclave_signer_v1_MessageSignRequest__Output>
        MessageSignatureDone: MessageTypeDefinition<_conclave_signer_v1_MessageSignatureDone, _conclave_signer_v1_MessageSignatureDone__Output>
        NextShare: MessageTypeDefinition<_conclave_signer_v1_NextShare, _conclave_signer_v1_NextShare__Output>
        PoolState: MessageTypeDefinition<_conclave_signer_v1_PoolState, _conclave_signer_v1_PoolState__Output>
        PresignDone: MessageTypeDefinition<_conclave_signer_v1_PresignDone, _conclave_signer_v1_PresignDone__Output>
        PresignRequest: MessageTypeDefinition<_conclave_signer_v1_PresignRequest, _conclave_signer_v1_PresignRequest__Output>
        PresignatureEntry: MessageTypeDefinition<_conclave_signer_v1_PresignatureEntry, _conclave_signer_v1_PresignatureEntry__Output>
        PresignatureIds: MessageTypeDefinition<_conclave_signer_v1_PresignatureIds, _conclave_signer_v1_PresignatureIds__Output>
        Progress: MessageTypeDefinition<_conclave_signer_v1_Progress, _conclave_signer_v1_Progress__Output>
        RefreshKeyRequest: MessageTypeDefinition<_conclave_signer_v1_RefreshKeyRequest, _conclave_signer_v1_RefreshKeyRequest__Output>
        Refusal: MessageTypeDefinition<_conclave_signer_v1_Refusal, _conclave_signer_v1_Refusal__Output>
        ReshareKeyRequest: MessageTypeDefinition<_conclave_signer_v1_ReshareKeyRequest, _conclave_signer_v1_ReshareKeyRequest__Output>
        SessionEvent: MessageTypeDefinition<_conclave_signer_v1_SessionEvent, _conclave_signer_v1_SessionEvent__Output>
        SessionState: MessageTypeDefinition<_conclave_signer_v1_SessionState, _conclave_signer_v1_SessionState__Output>
        SignRequest: MessageTypeDefinition<_conclave_signer_v1_SignRequest, _conclave_signer_v1_SignRequest__Output>
        SignatureDone: MessageTypeDefinition<_conclave_signer_v1_SignatureDone, _conclave_signer_v1_SignatureDone__Output>
        StatusReply: MessageTypeDefinition<_conclave_signer_v1_StatusReply, _conclave_signer_v1_StatusReply__Output>
        StatusRequest: MessageTypeDefinition<_conclave_signer_v1_StatusRequest, _conclave_signer_v1_StatusRequest__Output>
      }
    }
  }
}

