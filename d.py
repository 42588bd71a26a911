exec(open('/tmp/review/b.py').read().split('@case("global')[0])
@case("user method super kernel? / nested function free var deleted")
def _():
    @tile.kernel(grid=1)
    def k(x,out,n):
        s = 0
        i = 0
        while i < n:
            i += 1
            for j in tile.static_range(3):
                if j == 1:
                    continue
                if i == 2:
                    break
                s += j + 1
            if s > 6: return tile.store(out,0,s)
        tile.store(out,0,s+100)
    o=np.zeros(1,np.int64); k(X,o,6)
    def ref(n):
        s=i=0
        while i<n:
            i+=1
            for j in range(3):
                if j==1: continue
                if i==2: break
                s+=j+1
            if s>6: return s
        return s+100
    return o,"expect",ref(6)
@case("gradient of function with early return")
def _():
    @tile.function
    def f(t, n):
        if n > 3: return t * t
        return t * 3.0
    @tile.kernel(grid=1)
    def k(x,y,n):
        tile.store(y,0,f(tile.load(x,0,4),n))
    x=np.arange(1.,5.)
    return tile.grad(k)(x,np.zeros(4),5), tile.grad(k)(x,np.zeros(4),1)
@case("line of error in code after early return")
def _():
    @tile.kernel(grid=1)
    def k(x,out,n):
        if n == 0:
            return
        y = tile.load(x,0,4) + tile.load(x,0,8)   # line here
        tile.store(out,0,y)
    o=np.zeros(4); k(X,o,6); return o
@case("name undefined in rest after leave (python NameError analog)")
def _():
    @tile.kernel(grid=1)
    def k(x,out,n):
        for i in range(n):
            if i == 3:
                z = 5
                break
        tile.store(out,0,z)
    o=np.zeros(1,np.int64); k(X,o,6); return o
@case("kernel: return in if both branches + dead code")
def _():
    @tile.kernel(grid=1)
    def k(x,out,n):
        if n == 3:
            tile.store(out,0,1)
            return
        elif n == 4:
            tile.store(out,0,2)
            return
        else:
            return
        tile.store(out,0,9)
    o=np.zeros(1,np.int64); r=[]
    for n in (3,4,5): o[:]=0; k(X,o,n); r.append(int(o[0]))
    return r,"expect 1 2 0"
@case("helper doc")
def _():
    @tile.function
    def f(t):
        "doc of f"
        if t is None: return 1
        return 2
    return f.__doc__
@case("kernel doc in early return")
def _():
    @tile.kernel(grid=1)
    def k(x,n):
        "doc of k"
        if n == 1: return
        tile.store(x,0,1.0)
    return k.__doc__
@case("AugAssign to attr in rest; nonlocal var of enclosing assigned after early return")
def _():
    @tile.kernel(grid=1)
    def k(x,out,n):
        a = 0
        def f(v):
            nonlocal a
            if v == 0:
                return
            a += v
            if v > 3: return
            a += 10
        f(n)
        tile.store(out,0,a)
    o=np.zeros(1,np.int64); r=[]
    for n in (0,2,5): k(X,o,n); r.append(int(o[0]))
    return r,"expect 0 12 5"
@case("default args/recursion static with early return")
def _():
    @tile.function
    def tree(vals):
        if len(vals) == 1: return vals[0]
        h = len(vals)//2
        return tree(vals[:h]) + tree(vals[h:])
    @tile.kernel(grid=1)
    def k(x,out):
        tile.store(out,0,tree([tile.load(x,i,()) for i in range(4)]))
    o=np.zeros(1); k(X,o); return o,"expect 10"
