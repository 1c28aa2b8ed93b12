<?php
// Mail made 7-bit safe, through the C library (capi/install.sh) and PHP's FFI. It shows how, and is short enough to copy.
declare(strict_types=1);

final class Sevenbit
{
    public const ARCHIVE = 0;
    public const TRANSPORT = 1;

    private FFI $library;

    /** $header is the installed sevenbit.h, $library the shared library, by its name or a path. */
    public function __construct(string $header = '/usr/local/include/sevenbit.h', string $library = 'libsevenbit.so')
    {
        // PHP has no preprocessor: the declarations alone are C, without the word before those whose status counts.
        $text = preg_replace('/^#ifdef __cplusplus.*?^#endif[^\n]*$/ms', '', file_get_contents($header));
        $this->library = FFI::cdef(preg_replace('/^#.*$|^SEVENBIT_WARN_UNUSED/m', '', $text), $library);
    }

    /** The message in its normal form, and the codes of what was found in it. Any octets have one. */
    public function normalize(string $message, int $profile = self::ARCHIVE): array
    {
        $c = $this->library;
        $options = $c->new('sevenbit_options');
        $c->sevenbit_options_init(FFI::addr($options), FFI::sizeof($options));
        $options->profile = $profile;
        // The result borrows these octets, which stay until the end of the function.
        $octets = $c->new('uint8_t[' . max(1, strlen($message)) . ']');
        FFI::memcpy($octets, $message, strlen($message));
        $result = $c->new('sevenbit_result *');
        $status = $c->sevenbit_normalize($octets, strlen($message), FFI::addr($options), FFI::addr($result));
        if ($status !== 0) {
            throw new InvalidArgumentException($c->sevenbit_status_message($status));
        }
        $found = $c->new('sevenbit_octets');
        $c->sevenbit_result_octets($result, FFI::addr($found));
        $normal = $found->length === 0 ? '' : FFI::string($found->data, $found->length);
        $codes = [];
        for ($at = 0; $at < $c->sevenbit_result_issue_count($result); $at++) {
            $codes[] = FFI::string($c->sevenbit_result_issue($result, $at)->code->data);
        }
        $c->sevenbit_result_free($result);
        return [$normal, $codes];
    }
}
