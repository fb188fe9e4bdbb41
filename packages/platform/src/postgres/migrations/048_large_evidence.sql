-- Evidence of a large cluster has up to 20 MiB (EVIDENCE_BYTES_MAX of the threshold package).
alter table faults
  drop constraint faults_proof_check,
  add constraint faults_proof_check check (octet_length(proof) between 1 and 20971520);
