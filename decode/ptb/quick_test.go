package ptb
import ("testing";"strings";"io";"errors";"fmt";"os";"compress/gzip";"time";"testing/iotest"
"fstore/index";"fstore/decode/format")
func dump(in string, one bool, o format.Options) string {
	o.File="F"; o.Symbols=index.NewSymbols()
	var rd io.Reader = strings.NewReader(in)
	if one { rd = iotest.OneByteReader(rd)}
	r:=Open(rd,o)
	var t index.Tree
	var out []byte
	for {
		err:=r.Next(&t)
		var ie *index.InputError
		switch {
		case err==io.EOF: return string(out)
		case errors.As(err,&ie): out=append(out,"! "+ie.Error()+"\n"...)
		case err!=nil: return string(out)+"ERR "+err.Error()
		default:
			out = append(out, fmt.Sprintf("%d %q ",t.Line,t.Name)...)
			out,_=Append(out,&t,o.Symbols)
		}
	}
}
func TestQuick(t *testing.T){
	for _,in:=range []string{
		"( (S (NP x)) (ID foo))", "((S (NP x) y))\n(A b) (C d)", "(S (NP x)))\n(A b)", "(S (NP ()))\n(A b)","()\n(A b)","(S (NP a)\n(A b)\n(C d)\n(E\n(F g)", "( (META (X y)) (S z))","( (CODE <x>) (ID 1))","( (ID 1))","(S\n(NP x)\n(VP y))\n(A b)\n(B \\(\\ )",
		"foo\n (A b)\n(C d) junk (E f)\n(G h","(A \xff)\n(B c)","(A \x00b)\n(B c)","",
	} {
		a:=dump(in,false,format.Options{}); b:=dump(in,true,format.Options{})
		t.Logf("%q\n%s",in,a)
		if a!=b {t.Errorf("one byte: %s",b)}
	}
}
func TestCount(t *testing.T){
	for _,f:=range []string{"icepahc.psd.gz","greynir.psd.gz","gum-bio.mrg.gz"} {
		h,_:=os.Open("/work/shared/data/trees/"+f)
		z,_:=gzip.NewReader(h)
		all,_:=io.ReadAll(z)
		for range 3 {
		s:=index.NewSymbols()
		r:=Open(strings.NewReader(string(all)),format.Options{Symbols:s})
		st:=time.Now()
		n,nodes:=0,0
		var tr index.Tree
		for { err:=r.Next(&tr); if err==io.EOF{break}; if err!=nil{t.Fatal(err)}; n++; nodes+=len(tr.Nodes)}
		d:=time.Since(st).Seconds()
		t.Logf("%s %d trees %d nodes %.0f MB/s %.2fM nodes/s",f,n,nodes,float64(len(all))/d/1e6,float64(nodes)/d/1e6)
		}
	}
}
