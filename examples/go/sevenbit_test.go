package sevenbit

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

func TestARawSubject(t *testing.T) {
	normal, codes, err := Normalize([]byte("Subject: caf\xc3\xa9\r\n\r\nbody\r\n"), Transport)
	if err != nil || string(normal) != "Subject: =?utf-8?B?Y2Fmw6k=?=\r\n\r\nbody\r\n" {
		t.Fatal(string(normal), err)
	}
	if len(codes) == 0 || codes[0] != "raw-header-text" {
		t.Fatal(codes)
	}
	if _, _, err = Normalize(nil, 77); err == nil {
		t.Fatal("a profile that there is not")
	}
}

func TestWhatAMessageSays(t *testing.T) {
	mail := "List-Id: <news.example.org>\r\nContent-Type: text/html\r\n\r\n<p>caf\xc3\xa9"
	text, answers, err := Read([]byte(mail))
	var found struct{ List struct{ Id string } }
	if err == nil {
		err = json.Unmarshal(answers, &found)
	}
	if err != nil || text != "caf\xc3\xa9\n" || found.List.Id != "news.example.org" {
		t.Fatal(text, string(answers), err)
	}
}

// SEVENBIT_MAIL names a folder of messages, SEVENBIT_NORMAL what the command made of them for archives.
func TestTheCommandDoesTheSame(t *testing.T) {
	mail, normal := os.Getenv("SEVENBIT_MAIL"), os.Getenv("SEVENBIT_NORMAL")
	files, _ := filepath.Glob(filepath.Join(mail, "*.eml"))
	if mail == "" || len(files) == 0 {
		t.Skip("no messages")
	}
	var all sync.WaitGroup
	for _, file := range files {
		all.Add(1)
		go func(file string) {
			defer all.Done()
			message, _ := os.ReadFile(file)
			expected, err := os.ReadFile(filepath.Join(normal, filepath.Base(file)))
			made, _, _ := Normalize(message, Archive)
			if err != nil || !bytes.Equal(made, expected) {
				t.Error(file, err)
			}
		}(file)
	}
	all.Wait()
}
