<?php
// php test.php HEADER LIBRARY MAIL NORMAL: one message by hand, then a folder of messages compared with the command's output.
declare(strict_types=1);
require __DIR__ . '/sevenbit.php';

function check(bool $is_so, string $what): void
{
    if (!$is_so) {
        fwrite(STDERR, "not so: $what\n");
        exit(1);
    }
}

[, $header, $library, $mail, $normal] = $argv;
$sevenbit = new Sevenbit($header, $library);
[$made, $codes] = $sevenbit->normalize("Subject: caf\xc3\xa9\r\n\r\nbody\r\n", Sevenbit::TRANSPORT);
check($made === "Subject: =?utf-8?B?Y2Fmw6k=?=\r\n\r\nbody\r\n", $made);
check($codes[0] === 'raw-header-text', implode(' ', $codes));
check($sevenbit->normalize('')[0] === '', 'nothing stays nothing');
try {
    $sevenbit->normalize('a', 77);
    check(false, 'a profile that there is not');
} catch (InvalidArgumentException $error) {
}
$files = glob("$mail/*.eml");
check(count($files) > 0, "messages in $mail");
foreach ($files as $file) {
    $expected = file_get_contents("$normal/" . basename($file));
    check($sevenbit->normalize(file_get_contents($file))[0] === $expected, $file);
}
echo count($files), " messages equal\n";
