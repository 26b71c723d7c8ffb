"""Compares what sslyze finds at two servers of TLS: `scan.py OURS THEIRS`, two ports of this machine.

Fails where ours accepts a version or a cipher that the other refuses, or has a weakness that sslyze knows.
"""

import sys

from sslyze import (
    ScanCommand, ScanCommandAttemptStatusEnum, Scanner, ServerNetworkLocation, ServerScanRequest)

VERSIONS = {
    "SSL 2.0": ScanCommand.SSL_2_0_CIPHER_SUITES, "SSL 3.0": ScanCommand.SSL_3_0_CIPHER_SUITES,
    "TLS 1.0": ScanCommand.TLS_1_0_CIPHER_SUITES, "TLS 1.1": ScanCommand.TLS_1_1_CIPHER_SUITES,
    "TLS 1.2": ScanCommand.TLS_1_2_CIPHER_SUITES, "TLS 1.3": ScanCommand.TLS_1_3_CIPHER_SUITES,
}
WEAKNESSES = {
    ScanCommand.HEARTBLEED: ("Heartbleed", lambda found: found.is_vulnerable_to_heartbleed),
    ScanCommand.OPENSSL_CCS_INJECTION: ("CCS", lambda found: found.is_vulnerable_to_ccs_injection),
    ScanCommand.TLS_COMPRESSION: ("compression", lambda found: found.supports_compression),
    ScanCommand.TLS_1_3_EARLY_DATA: ("early data", lambda found: found.supports_early_data),
    ScanCommand.ROBOT: ("ROBOT", lambda found: found.robot_result.name.startswith("VULNERABLE")),
    ScanCommand.SESSION_RENEGOTIATION: (
        "renegotiation by clients", lambda found: found.is_vulnerable_to_client_renegotiation_dos),
    ScanCommand.TLS_FALLBACK_SCSV: (
        "no protection from downgrades", lambda found: not found.supports_fallback_scsv),
}


def scan(port):
    """The accepted ciphers by version, and the weaknesses."""
    place = ServerNetworkLocation("localhost", port=port, ip_address="127.0.0.1")
    commands = {*VERSIONS.values(), *WEAKNESSES}
    scanner = Scanner()
    scanner.queue_scans([ServerScanRequest(place, scan_commands=commands)])
    result = next(scanner.get_results()).scan_result
    if result is None:
        sys.exit(f"scan: nobody speaks TLS on port {port}")

    def found(command):
        attempt = getattr(result, command.value)
        if attempt.status is not ScanCommandAttemptStatusEnum.COMPLETED:
            sys.exit(f"scan: {command.value}: {attempt.error_reason} {attempt.error_trace}")
        return attempt.result

    ciphers = {
        name: {one.cipher_suite.name for one in found(command).accepted_cipher_suites}
        for name, command in VERSIONS.items()
    }
    return ciphers, {name for command, (name, holds) in WEAKNESSES.items() if holds(found(command))}


(ciphers, weaknesses), (their_ciphers, their_weaknesses) = (scan(int(port)) for port in sys.argv[1:3])
for name in VERSIONS:
    print(f"{name}: {len(ciphers[name])} ciphers here, {len(their_ciphers[name])} there")
print(f"weaknesses: {sorted(weaknesses) or 'none'} here, {sorted(their_weaknesses) or 'none'} there")
faults = [f"weakness: {name}" for name in weaknesses]
for name in VERSIONS:
    if not their_ciphers[name] and ciphers[name]:
        faults.append(f"{name} is accepted")
    faults += [f"{name}: {cipher} is accepted" for cipher in ciphers[name] - their_ciphers[name]]
for fault in faults:
    print(f"scan: {fault}", file=sys.stderr)
sys.exit(1 if faults else 0)
