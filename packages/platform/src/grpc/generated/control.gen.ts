import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { Authorisation as _conclave_signer_v2_Authorisation, Authorisation__Output as _conclave_signer_v2_Authorisation__Output } from './conclave/signer/v2/Authorisation.gen.ts';
import type { Auxiliary as _conclave_signer_v2_Auxiliary, Auxiliary__Output as _conclave_signer_v2_Auxiliary__Output } from './conclave/signer/v2/Auxiliary.gen.ts';
import type { AuxiliaryDone as _conclave_signer_v2_AuxiliaryDone, AuxiliaryDone__Output as _conclave_signer_v2_AuxiliaryDone__Output } from './conclave/signer/v2/AuxiliaryDone.gen.ts';
import type { Certificate as _conclave_signer_v2_Certificate, Certificate__Output as _conclave_signer_v2_Certificate__Output } from './conclave/signer/v2/Certificate.gen.ts';
import type { CertificateRequest as _conclave_signer_v2_CertificateRequest, CertificateRequest__Output as _conclave_signer_v2_CertificateRequest__Output } from './conclave/signer/v2/CertificateRequest.gen.ts';
import type { Command as _conclave_signer_v2_Command, Command__Output as _conclave_signer_v2_Command__Output } from './conclave/signer/v2/Command.gen.ts';
import type { ControlClient as _conclave_signer_v2_ControlClient, ControlDefinition as _conclave_signer_v2_ControlDefinition } from './conclave/signer/v2/Control.gen.ts';
import type { DiscardEpochReply as _conclave_signer_v2_DiscardEpochReply, DiscardEpochReply__Output as _conclave_signer_v2_DiscardEpochReply__Output } from './conclave/signer/v2/DiscardEpochReply.gen.ts';
import type { DiscardEpochRequest as _conclave_signer_v2_DiscardEpochRequest, DiscardEpochRequest__Output as _conclave_signer_v2_DiscardEpochRequest__Output } from './conclave/signer/v2/DiscardEpochRequest.gen.ts';
import type { DiscardReply as _conclave_signer_v2_DiscardReply, DiscardReply__Output as _conclave_signer_v2_DiscardReply__Output } from './conclave/signer/v2/DiscardReply.gen.ts';
import type { ExportDone as _conclave_signer_v2_ExportDone, ExportDone__Output as _conclave_signer_v2_ExportDone__Output } from './conclave/signer/v2/ExportDone.gen.ts';
import type { Failure as _conclave_signer_v2_Failure, Failure__Output as _conclave_signer_v2_Failure__Output } from './conclave/signer/v2/Failure.gen.ts';
import type { Fault as _conclave_signer_v2_Fault, Fault__Output as _conclave_signer_v2_Fault__Output } from './conclave/signer/v2/Fault.gen.ts';
import type { HeldKey as _conclave_signer_v2_HeldKey, HeldKey__Output as _conclave_signer_v2_HeldKey__Output } from './conclave/signer/v2/HeldKey.gen.ts';
import type { ImportRefused as _conclave_signer_v2_ImportRefused, ImportRefused__Output as _conclave_signer_v2_ImportRefused__Output } from './conclave/signer/v2/ImportRefused.gen.ts';
import type { KeyAttestation as _conclave_signer_v2_KeyAttestation, KeyAttestation__Output as _conclave_signer_v2_KeyAttestation__Output } from './conclave/signer/v2/KeyAttestation.gen.ts';
import type { KeyChangeDone as _conclave_signer_v2_KeyChangeDone, KeyChangeDone__Output as _conclave_signer_v2_KeyChangeDone__Output } from './conclave/signer/v2/KeyChangeDone.gen.ts';
import type { KeyDone as _conclave_signer_v2_KeyDone, KeyDone__Output as _conclave_signer_v2_KeyDone__Output } from './conclave/signer/v2/KeyDone.gen.ts';
import type { KeyExport as _conclave_signer_v2_KeyExport, KeyExport__Output as _conclave_signer_v2_KeyExport__Output } from './conclave/signer/v2/KeyExport.gen.ts';
import type { KeyGeneration as _conclave_signer_v2_KeyGeneration, KeyGeneration__Output as _conclave_signer_v2_KeyGeneration__Output } from './conclave/signer/v2/KeyGeneration.gen.ts';
import type { KeyImport as _conclave_signer_v2_KeyImport, KeyImport__Output as _conclave_signer_v2_KeyImport__Output } from './conclave/signer/v2/KeyImport.gen.ts';
import type { KeyInfo as _conclave_signer_v2_KeyInfo, KeyInfo__Output as _conclave_signer_v2_KeyInfo__Output } from './conclave/signer/v2/KeyInfo.gen.ts';
import type { KeyRefresh as _conclave_signer_v2_KeyRefresh, KeyRefresh__Output as _conclave_signer_v2_KeyRefresh__Output } from './conclave/signer/v2/KeyRefresh.gen.ts';
import type { KeyReply as _conclave_signer_v2_KeyReply, KeyReply__Output as _conclave_signer_v2_KeyReply__Output } from './conclave/signer/v2/KeyReply.gen.ts';
import type { KeyRequest as _conclave_signer_v2_KeyRequest, KeyRequest__Output as _conclave_signer_v2_KeyRequest__Output } from './conclave/signer/v2/KeyRequest.gen.ts';
import type { KeyReshare as _conclave_signer_v2_KeyReshare, KeyReshare__Output as _conclave_signer_v2_KeyReshare__Output } from './conclave/signer/v2/KeyReshare.gen.ts';
import type { KeyState as _conclave_signer_v2_KeyState, KeyState__Output as _conclave_signer_v2_KeyState__Output } from './conclave/signer/v2/KeyState.gen.ts';
import type { KeysReply as _conclave_signer_v2_KeysReply, KeysReply__Output as _conclave_signer_v2_KeysReply__Output } from './conclave/signer/v2/KeysReply.gen.ts';
import type { KeysRequest as _conclave_signer_v2_KeysRequest, KeysRequest__Output as _conclave_signer_v2_KeysRequest__Output } from './conclave/signer/v2/KeysRequest.gen.ts';
import type { ListReply as _conclave_signer_v2_ListReply, ListReply__Output as _conclave_signer_v2_ListReply__Output } from './conclave/signer/v2/ListReply.gen.ts';
import type { ListRequest as _conclave_signer_v2_ListRequest, ListRequest__Output as _conclave_signer_v2_ListRequest__Output } from './conclave/signer/v2/ListRequest.gen.ts';
import type { NextShare as _conclave_signer_v2_NextShare, NextShare__Output as _conclave_signer_v2_NextShare__Output } from './conclave/signer/v2/NextShare.gen.ts';
import type { PoolState as _conclave_signer_v2_PoolState, PoolState__Output as _conclave_signer_v2_PoolState__Output } from './conclave/signer/v2/PoolState.gen.ts';
import type { PresignDone as _conclave_signer_v2_PresignDone, PresignDone__Output as _conclave_signer_v2_PresignDone__Output } from './conclave/signer/v2/PresignDone.gen.ts';
import type { PresignatureEntry as _conclave_signer_v2_PresignatureEntry, PresignatureEntry__Output as _conclave_signer_v2_PresignatureEntry__Output } from './conclave/signer/v2/PresignatureEntry.gen.ts';
import type { PresignatureIds as _conclave_signer_v2_PresignatureIds, PresignatureIds__Output as _conclave_signer_v2_PresignatureIds__Output } from './conclave/signer/v2/PresignatureIds.gen.ts';
import type { Presigning as _conclave_signer_v2_Presigning, Presigning__Output as _conclave_signer_v2_Presigning__Output } from './conclave/signer/v2/Presigning.gen.ts';
import type { Progress as _conclave_signer_v2_Progress, Progress__Output as _conclave_signer_v2_Progress__Output } from './conclave/signer/v2/Progress.gen.ts';
import type { Quarantine as _conclave_signer_v2_Quarantine, Quarantine__Output as _conclave_signer_v2_Quarantine__Output } from './conclave/signer/v2/Quarantine.gen.ts';
import type { Refusal as _conclave_signer_v2_Refusal, Refusal__Output as _conclave_signer_v2_Refusal__Output } from './conclave/signer/v2/Refusal.gen.ts';
import type { Report as _conclave_signer_v2_Report, Report__Output as _conclave_signer_v2_Report__Output } from './conclave/signer/v2/Report.gen.ts';
import type { SessionState as _conclave_signer_v2_SessionState, SessionState__Output as _conclave_signer_v2_SessionState__Output } from './conclave/signer/v2/SessionState.gen.ts';
import type { Signature as _conclave_signer_v2_Signature, Signature__Output as _conclave_signer_v2_Signature__Output } from './conclave/signer/v2/Signature.gen.ts';
import type { Signed as _conclave_signer_v2_Signed, Signed__Output as _conclave_signer_v2_Signed__Output } from './conclave/signer/v2/Signed.gen.ts';
import type { SignedReply as _conclave_signer_v2_SignedReply, SignedReply__Output as _conclave_signer_v2_SignedReply__Output } from './conclave/signer/v2/SignedReply.gen.ts';
import type { SignedRequest as _conclave_signer_v2_SignedRequest, SignedRequest__Output as _conclave_signer_v2_SignedRequest__Output } from './conclave/signer/v2/SignedRequest.gen.ts';
import type { Signing as _conclave_signer_v2_Signing, Signing__Output as _conclave_signer_v2_Signing__Output } from './conclave/signer/v2/Signing.gen.ts';
import type { StatusReply as _conclave_signer_v2_StatusReply, StatusReply__Output as _conclave_signer_v2_StatusReply__Output } from './conclave/signer/v2/StatusReply.gen.ts';
import type { StatusRequest as _conclave_signer_v2_StatusRequest, StatusRequest__Output as _conclave_signer_v2_StatusRequest__Output } from './conclave/signer/v2/StatusRequest.gen.ts';
import type { SwitchReply as _conclave_signer_v2_SwitchReply, SwitchReply__Output as _conclave_signer_v2_SwitchReply__Output } from './conclave/signer/v2/SwitchReply.gen.ts';
import type { Waiver as _conclave_signer_v2_Waiver, Waiver__Output as _conclave_signer_v2_Waiver__Output } from './conclave/signer/v2/Waiver.gen.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  conclave: {
    signer: {
      v2: {
        Authorisation: MessageTypeDefinition<_conclave_signer_v2_Authorisation, _conclave_signer_v2_Authorisation__Output>
        Auxiliary: MessageTypeDefinition<_conclave_signer_v2_Auxiliary, _conclave_signer_v2_Auxiliary__Output>
        AuxiliaryDone: MessageTypeDefinition<_conclave_signer_v2_AuxiliaryDone, _conclave_signer_v2_AuxiliaryDone__Output>
        Certificate: MessageTypeDefinition<_conclave_signer_v2_Certificate, _conclave_signer_v2_Certificate__Output>
        CertificateRequest: MessageTypeDefinition<_conclave_signer_v2_CertificateRequest, _conclave_signer_v2_CertificateRequest__Output>
        Command: MessageTypeDefinition<_conclave_signer_v2_Command, _conclave_signer_v2_Command__Output>
        Control: SubtypeConstructor<typeof grpc.Client, _conclave_signer_v2_ControlClient> & { service: _conclave_signer_v2_ControlDefinition }
        DiscardEpochReply: MessageTypeDefinition<_conclave_signer_v2_DiscardEpochReply, _conclave_signer_v2_DiscardEpochReply__Output>
        DiscardEpochRequest: MessageTypeDefinition<_conclave_signer_v2_DiscardEpochRequest, _conclave_signer_v2_DiscardEpochRequest__Output>
        DiscardReply: MessageTypeDefinition<_conclave_signer_v2_DiscardReply, _conclave_signer_v2_DiscardReply__Output>
        ExportDone: MessageTypeDefinition<_conclave_signer_v2_ExportDone, _conclave_signer_v2_ExportDone__Output>
        Failure: MessageTypeDefinition<_conclave_signer_v2_Failure, _conclave_signer_v2_Failure__Output>
        Fault: MessageTypeDefinition<_conclave_signer_v2_Fault, _conclave_signer_v2_Fault__Output>
        HeldKey: MessageTypeDefinition<_conclave_signer_v2_HeldKey, _conclave_signer_v2_HeldKey__Output>
        ImportRefused: MessageTypeDefinition<_conclave_signer_v2_ImportRefused, _conclave_signer_v2_ImportRefused__Output>
        KeyAttestation: MessageTypeDefinition<_conclave_signer_v2_KeyAttestation, _conclave_signer_v2_KeyAttestation__Output>
        KeyChangeDone: MessageTypeDefinition<_conclave_signer_v2_KeyChangeDone, _conclave_signer_v2_KeyChangeDone__Output>
        KeyDone: MessageTypeDefinition<_conclave_signer_v2_KeyDone, _conclave_signer_v2_KeyDone__Output>
        KeyExport: MessageTypeDefinition<_conclave_signer_v2_KeyExport, _conclave_signer_v2_KeyExport__Output>
        KeyGeneration: MessageTypeDefinition<_conclave_signer_v2_KeyGeneration, _conclave_signer_v2_KeyGeneration__Output>
        KeyImport: MessageTypeDefinition<_conclave_signer_v2_KeyImport, _conclave_signer_v2_KeyImport__Output>
        KeyInfo: MessageTypeDefinition<_conclave_signer_v2_KeyInfo, _conclave_signer_v2_KeyInfo__Output>
        KeyRefresh: MessageTypeDefinition<_conclave_signer_v2_KeyRefresh, _conclave_signer_v2_KeyRefresh__Output>
        KeyReply: MessageTypeDefinition<_conclave_signer_v2_KeyReply, _conclave_signer_v2_KeyReply__Output>
        KeyRequest: MessageTypeDefinition<_conclave_signer_v2_KeyRequest, _conclave_signer_v2_KeyRequest__Output>
        KeyReshare: MessageTypeDefinition<_conclave_signer_v2_KeyReshare, _conclave_signer_v2_KeyReshare__Output>
        KeyState: MessageTypeDefinition<_conclave_signer_v2_KeyState, _conclave_signer_v2_KeyState__Output>
        KeysReply: MessageTypeDefinition<_conclave_signer_v2_KeysReply, _conclave_signer_v2_KeysReply__Output>
        KeysRequest: MessageTypeDefinition<_conclave_signer_v2_KeysRequest, _conclave_signer_v2_KeysRequest__Output>
        ListReply: MessageTypeDefinition<_conclave_signer_v2_ListReply, _conclave_signer_v2_ListReply__Output>
        ListRequest: MessageTypeDefinition<_conclave_signer_v2_ListRequest, _conclave_signer_v2_ListRequest__Output>
        NextShare: MessageTypeDefinition<_conclave_signer_v2_NextShare, _conclave_signer_v2_NextShare__Output>
        PoolState: MessageTypeDefinition<_conclave_signer_v2_PoolState, _conclave_signer_v2_PoolState__Output>
        PresignDone: MessageTypeDefinition<_conclave_signer_v2_PresignDone, _conclave_signer_v2_PresignDone__Output>
        PresignatureEntry: MessageTypeDefinition<_conclave_signer_v2_PresignatureEntry, _conclave_signer_v2_PresignatureEntry__Output>
        PresignatureIds: MessageTypeDefinition<_conclave_signer_v2_PresignatureIds, _conclave_signer_v2_PresignatureIds__Output>
        Presigning: MessageTypeDefinition<_conclave_signer_v2_Presigning, _conclave_signer_v2_Presigning__Output>
        Progress: MessageTypeDefinition<_conclave_signer_v2_Progress, _conclave_signer_v2_Progress__Output>
        Quarantine: MessageTypeDefinition<_conclave_signer_v2_Quarantine, _conclave_signer_v2_Quarantine__Output>
        Refusal: MessageTypeDefinition<_conclave_signer_v2_Refusal, _conclave_signer_v2_Refusal__Output>
        Report: MessageTypeDefinition<_conclave_signer_v2_Report, _conclave_signer_v2_Report__Output>
        SessionState: MessageTypeDefinition<_conclave_signer_v2_SessionState, _conclave_signer_v2_SessionState__Output>
        Signature: MessageTypeDefinition<_conclave_signer_v2_Signature, _conclave_signer_v2_Signature__Output>
        Signed: MessageTypeDefinition<_conclave_signer_v2_Signed, _conclave_signer_v2_Signed__Output>
        SignedReply: MessageTypeDefinition<_conclave_signer_v2_SignedReply, _conclave_signer_v2_SignedReply__Output>
        SignedRequest: MessageTypeDefinition<_conclave_signer_v2_SignedRequest, _conclave_signer_v2_SignedRequest__Output>
        Signing: MessageTypeDefinition<_conclave_signer_v2_Signing, _conclave_signer_v2_Signing__Output>
        StatusReply: MessageTypeDefinition<_conclave_signer_v2_StatusReply, _conclave_signer_v2_StatusReply__Output>
        StatusRequest: MessageTypeDefinition<_conclave_signer_v2_StatusRequest, _conclave_signer_v2_StatusRequest__Output>
        SwitchReply: MessageTypeDefinition<_conclave_signer_v2_SwitchReply, _conclave_signer_v2_SwitchReply__Output>
        Waiver: MessageTypeDefinition<_conclave_signer_v2_Waiver, _conclave_signer_v2_Waiver__Output>
      }
    }
  }
}

